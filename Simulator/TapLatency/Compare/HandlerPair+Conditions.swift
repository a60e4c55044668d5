extension HandlerPair {
    /// Why the figures of the two cannot be compared, and what to do; nil where they can.
    var difference: String? {
        switch self {
        case .gone, .new: nil
        case .both(let old, let new): HandlerPair.difference(old, new)
        }
    }

    private static func difference(_ old: TapReport, _ new: TapReport) -> String? {
        if old.profile != new.profile {
            return "the profiles are \(old.profile) and \(new.profile): measure both with the same --profile"
        }
        if let numbers = difference(old.profileNumbers, new.profileNumbers) {
            return "\(numbers) in the profile \(old.profile): measure both with the same numbers"
        }
        let conditions: [(option: String, old: String, new: String)] = [
            ("items", "\(old.items)", "\(new.items)"),
            ("database", "\(old.database)", "\(new.database)"),
            ("taps", "\(old.taps)", "\(new.taps)"),
            ("seed", "\(old.seed)", "\(new.seed)"),
        ]
        if let other = conditions.first(where: { $0.old != $0.new }) {
            return
                "--\(other.option) was \(other.old) and is \(other.new): measure both with the same --\(other.option)"
        }
        return difference(old.processor, new.processor)
    }

    /// The first number that is not the same in two profiles, and how many there are.
    private static func difference(_ old: [String: Double], _ new: [String: Double]) -> String? {
        let keys = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
        guard let first = keys.first else { return nil }
        func text(_ number: Double?) -> String { number.map(Wording.exact) ?? "not there" }
        let more = keys.count == 1 ? "" : ", the first of \(keys.count) that differ,"
        return "\(first)\(more) was \(text(old[first])) and is \(text(new[first]))"
    }

    /// A time that is not known any more is no other condition, but a figure that was lost.
    private static func difference(_ old: ProcessorTime, _ new: ProcessorTime) -> String? {
        switch (old, new) {
        case (.executed, .counted), (.counted, .executed):
            "the processor's time was \(old.rawValue) and is \(new.rawValue): measure both with --counted, or both with "
                + "the image that Hardware/build --lab makes"
        case (.executed, .executed), (.counted, .counted), (.unknown, _), (_, .unknown): nil
        }
    }
}
