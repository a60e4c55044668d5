import Synchronization

/// The files that the handler of a watch has seen: what its wearer would.
final class FileShelf: Sendable {
    /// A file as it was read when the handler heard of it.
    struct Sight: Equatable {
        /// The watch's own number of it.
        var generation: UInt32
        var bytes: [UInt8]
    }

    /// Whose watch it is.
    let wearer: String

    private struct Contents {
        var sights: [Sight] = []
        var present: Sight?
    }

    private let contents = Mutex(Contents())

    init(of wearer: String) {
        self.wearer = wearer
    }

    /// Everything that was seen, each once, in the order of its first time.
    var sights: [Sight] { contents.withLock { $0.sights } }

    /// The file that the watch has, as far as was seen since its last start; nil for none.
    var present: Sight? { contents.withLock { $0.present } }

    func show(_ sight: Sight) {
        contents.withLock { contents in
            contents.present = sight
            if !contents.sights.contains(sight) { contents.sights.append(sight) }
        }
    }

    /// The watch starts: its handler hears again of the file that it has.
    func restart() {
        contents.withLock { $0.present = nil }
    }
}
