import Watch
import WatchLink

/// The handler of a watch that takes files: a tap does what it does with `ShippingHandler`, and every file that it hears of is
/// read at once.
struct FilingHandler: ComposedTapHandler {
    private let shelf: FileShelf

    /// - Parameter shelf: is shown each file.
    init(_ shelf: FileShelf) {
        self.shelf = shelf
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
        shelf.show(FileShelf.Sight(generation: file.generation, bytes: bytes))
    }
}
