import Watch
import WatchLink

/// The handler of a watch that takes files: a tap does what it does with `ShippingHandler`, and every file that it hears of is
/// read at once.
struct FileShowingHandler: ComposedTapHandler {
    private let files: ShownFiles

    /// - Parameter files: is files each file.
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
        // A chip without power answers nothing: it is seen after the next start.
        guard watch.readFile(at: 0, into: &span) == file.length else { return }
        files.show(ShownFiles.File(generation: file.generation, bytes: bytes))
    }
}
