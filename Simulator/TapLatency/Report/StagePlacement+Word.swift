import Watch

extension StagePlacement: Codable {
    /// In a report: "immediate" or "deferred".
    public var word: String {
        switch self {
        case .immediate: "immediate"
        case .deferred: "deferred"
        }
    }

    /// - Throws: where it is neither word.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        switch try container.decode(String.self) {
        case StagePlacement.immediate.word: self = .immediate
        case StagePlacement.deferred.word: self = .deferred
        case let word:
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a stage is not placed '\(word)'")
        }
    }

    /// As its word.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(word)
    }
}
