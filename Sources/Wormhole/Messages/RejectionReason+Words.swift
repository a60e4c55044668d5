import WatchLink

extension RejectionReason {
    /// Why a message was rejected, as the end of a line.
    package var words: String {
        switch self {
        case .malformed: "its contents are not what its name says"
        case .unknownName: "its name is not known"
        case .noRoom: "there is no room for it"
        case .refused: "its receiver refused it"
        case _ where rawValue >= 128: "the application has its reason \(rawValue)"
        case _: "the reason \(rawValue) is not known"
        }
    }
}
