import Watch
import WatchLink

/// A handler that takes files. When the phone sends "probe", the watch shows a sheet with the file's length, checksum
/// and generation. Without a file, the sheet shows "none".
struct FilingHandler: ComposedTapHandler {
    var stages: some TapHandler {
        Immediate(ListModel.self)
        Immediate(StrikeThrough.self)
        Immediate(RowRemoval.self)
        Deferred(PhoneMessage.self)
    }

    static func declare(_ names: inout MessageNames) {
        names.queued("probe", from: .phone, upTo: 5, waiting: 1)
    }

    static var largestFile: Int { 65_536 }

    func take<B: Board & ~Copyable>(_ message: HandlerMessage, on watch: inout WatchCore<B>) {
        switch message.event {
        case .queued: break
        case .value, .cleared, .asked, .over, .passed, .file: return
        }
        var text = ShortText()
        if let file = watch.file {
            text.append(UInt32(file.length))
            text.append(" ")
            text.append(FilingHandler.sum(file, watch: &watch))
            text.append(" ")
            text.append(file.generation)
        } else {
            text.append("none")
        }
        watch.sheet = HandlerSheet(title: "File", text: text)
        watch.showSheet()
    }

    private static func sum<B: Board & ~Copyable>(_ file: WatchFile, watch: inout WatchCore<B>) -> UInt32 {
        var bytes = [UInt8](repeating: 0, count: file.length)
        var span = bytes.mutableSpan
        guard watch.readFile(at: 0, into: &span) == file.length else { return 0 }
        return bytes.reduce(0) { $0 &* 31 &+ UInt32($1) } % 1_000_000
    }
}
