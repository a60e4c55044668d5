import Wormhole

extension SharedRequest {
    /// Whether a second time does what the first has done, where nobody has heard of that.
    var mayBeRepeated: Bool {
        switch self {
        case .read, .names, .clear, .outstanding, .fate, .cancel, .peers, .budget, .followFile, .fateOfFile,
            .cancelFile:
            true
        case .pass, .send, .receive, .listen, .taken, .ask, .answer, .answered: false
        }
    }
}
