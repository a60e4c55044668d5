import Synchronization

/// The files that the handler of a watch has seen: what its wearer would.
final class ShownFiles: Sendable {
    /// A file as it was read when the handler heard of it.
    struct File: Equatable {
        /// The watch's own number of it.
        var generation: UInt32
        var bytes: [UInt8]
    }

    /// Whose watch it is.
    let wearer: String

    private struct Contents {
        var all: [File] = []
        var present: File?
    }

    private let contents = Mutex(Contents())

    init(of wearer: String) {
        self.wearer = wearer
    }

    /// Everything that was seen, each once, in the order of its first time.
    var all: [File] { contents.withLock { $0.all } }

    /// The file that the watch has, as far as was seen since its last start; nil for none.
    var present: File? { contents.withLock { $0.present } }

    func show(_ sight: File) {
        contents.withLock { contents in
            contents.present = sight
            if !contents.all.contains(sight) { contents.all.append(sight) }
        }
    }

    /// The watch starts: its handler hears again of the file that it has.
    func restart() {
        contents.withLock { $0.present = nil }
    }
}
