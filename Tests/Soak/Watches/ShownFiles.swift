import Synchronization
import Watch
import WatchLink

/// The files that a watch's handler has read and shown.
final class ShownFiles: Sendable {
    struct File: Equatable {
        var generation: UInt32
        var bytes: [UInt8]
    }

    let wearer: String

    private struct Contents {
        var all: [File] = []
        var present: File?
    }

    private let contents = Mutex(Contents())

    init(of wearer: String) {
        self.wearer = wearer
    }

    var all: [File] { contents.withLock { $0.all } }

    /// The last file that was shown since the watch's last start; nil if there was none.
    var present: File? { contents.withLock { $0.present } }

    func show(_ sight: File) {
        contents.withLock { contents in
            contents.present = sight
            if !contents.all.contains(sight) { contents.all.append(sight) }
        }
    }

    /// Forgets the present file when the watch starts. The watch then shows its stored file again.
    func restart() {
        contents.withLock { $0.present = nil }
    }
}

struct FileShowingHandler: ComposedTapHandler {
    private let files: ShownFiles

    init(_ files: ShownFiles) {
        self.files = files
    }

    var stages: some TapHandler { ShippingHandler().stages }

    static var largestFile: Int { 10_000 }

    func take<B: Board & ~Copyable>(_ message: HandlerMessage, on watch: inout WatchCore<B>) {
        switch message.event {
        case .file: break
        case .value, .cleared, .queued, .asked, .over, .passed: return
        }
        guard let file = watch.file else { return }
        var bytes = [UInt8](repeating: 0, count: file.length)
        var span = bytes.mutableSpan
        // Without power, the chip does not answer. The watch shows the file after its next start.
        guard watch.readFile(at: 0, into: &span) == file.length else { return }
        files.show(ShownFiles.File(generation: file.generation, bytes: bytes))
    }
}
