import WatchLink

extension RejectionReason {
    /// Why a message was rejected, as the end of a line.
    package var words: String {
        switch self {
        case .malformed: "its contents are not what its name says"
        case .unknownName: "its name is not known"
        case .noRoom: "there is no room for it"
        case .refused: "it was refused"
        case _ where rawValue >= 128: "for the application's reason \(rawValue)"
        case _: "for the unknown reason \(rawValue)"
        }
    }
}
