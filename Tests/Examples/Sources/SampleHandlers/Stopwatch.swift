import Watch
import WatchLink

/// A stopwatch on the wrist. A program on the phone keeps the time and passes it every second; the watch shows it on a sheet,
/// and its buttons ask that program to start, to pause and to save.
///
/// | Name | Sender | Delivery | Value |
/// |---|---|---|---|
/// | `stopwatch/elapsed` | phone | latest | whole seconds |
/// | `stopwatch/start`, `/pause`, `/save` | watch | interactive | nothing; the answer is whole seconds |
/// | `stopwatch/laps` | phone | queued | whole seconds of a saved time |
///
/// A picture of the runner comes as a file, in the format PBM, and is on the sheet until the time changes.
///
/// A tap on a row of the list does what it does on every watch.
public struct StopwatchHandler: ComposedTapHandler {
    /// The handler has no state: the time is the phone's, and the watch keeps the newest.
    public init() {}

    /// Those of the product.
    public var stages: some TapHandler { ShippingHandler() }

    /// The names of the table above.
    public static func declare(_ names: inout MessageNames) {
        names.latest("stopwatch/elapsed", from: .phone, upTo: 5)
        names.interactive("stopwatch/start", from: .watch, upTo: 5)
        names.interactive("stopwatch/pause", from: .watch, upTo: 5)
        names.interactive("stopwatch/save", from: .watch, upTo: 5)
        names.queued("stopwatch/laps", from: .phone, upTo: 5, waiting: 4)
    }

    /// A picture of the whole panel, 144 x 168 pixels, has 3,035 bytes in the format PBM.
    public static var largestFile: Int { 4_096 }

    /// Shows what has come.
    public func take<B: Board & ~Copyable>(_ message: HandlerMessage, on watch: inout WatchCore<B>) {
        switch message.event {
        case .value:
            guard let seconds = message.value(UInt32.self) else { return }
            show(clock(seconds), on: &watch)
            // The first one opens the sheet; a wearer who closes it is not disturbed by the next.
            if seconds == 0 { watch.showSheet() }
        case .cleared:
            watch.closeSheet()
        case .queued:
            guard let seconds = message.value(UInt32.self) else { return }
            var text = ShortText()
            text.append("Saved ")
            text.append(clock(seconds))
            show(text, on: &watch)
            watch.board.play(.success)
        case .over(.answered):
            guard let seconds = message.value(UInt32.self) else { return }
            show(clock(seconds), on: &watch)
            watch.board.play(.click)
        case .over(.refused):
            say("No stopwatch on the phone", on: &watch)
        case .over(.late), .over(.outOfReach):
            say("The phone does not answer", on: &watch)
        case .file:
            guard let picture = watch.filePicture() else { return }
            watch.sheet = HandlerSheet(title: "Runner", picture: picture, buttons: "Start", "Pause", "Save")
            watch.showSheet()
        // It asks nothing of that, and passes nothing.
        case .asked, .passed:
            break
        }
    }

    /// Asks the phone to start, to pause or to save.
    public func press<B: Board & ~Copyable>(_ button: Int, on watch: inout WatchCore<B>) {
        let name: StaticString =
            switch button {
            case 0: "stopwatch/start"
            case 1: "stopwatch/pause"
            default: "stopwatch/save"
            }
        do throws(MessageError) {
            try watch.ask(name, Nothing(), within: .seconds(2))
        } catch {
            switch error {
            case .outOfReach: say("No phone", on: &watch)
            // The answer to the press before is on its way.
            case .busy: break
            case .notDeclared, .tooLong, .queueFull, .notKept: say("Cannot ask", on: &watch)
            }
        }
    }

    private func say<B: Board & ~Copyable>(_ words: StaticString, on watch: inout WatchCore<B>) {
        var text = ShortText()
        text.append(words)
        show(text, on: &watch)
        watch.board.play(.failure)
    }

    private func show<B: Board & ~Copyable>(_ text: ShortText, on watch: inout WatchCore<B>) {
        watch.sheet = HandlerSheet(title: "Stopwatch", text: text, buttons: "Start", "Pause", "Save")
    }
}

/// A time as a stopwatch shows it: minutes and seconds, from an hour on hours and minutes.
private func clock(_ seconds: UInt32) -> ShortText {
    let (high, low) = seconds < 3_600 ? (seconds / 60, seconds % 60) : (seconds / 3_600, seconds / 60 % 60)
    var text = ShortText()
    text.append(high, digits: 2)
    text.append(":")
    text.append(low, digits: 2)
    return text
}
