import Watch
import WatchLink

/// A handler that shows a stopwatch. A program on the phone keeps the time, and sends it every second. The watch shows
/// the time on a sheet. The sheet's buttons ask the program to start, to pause and to save.
///
/// | Name | Sender | Delivery | Value |
/// |---|---|---|---|
/// | `stopwatch/elapsed` | phone | latest | whole seconds |
/// | `stopwatch/start`, `/pause`, `/save` | watch | interactive | nothing; the answer is whole seconds |
/// | `stopwatch/laps` | phone | queued | whole seconds of a saved time |
///
/// A picture of the runner arrives as a file in the PBM format. The sheet shows the picture until the time changes.
///
/// A tap on a row of the list checks off the item, as with `ShippingHandler`.
public struct StopwatchHandler: ComposedTapHandler {
    /// The handler has no state. The phone keeps the time, and the watch stores the newest value.
    public init() {}

    /// The stages of `ShippingHandler`, the handler of the product.
    public var stages: some TapHandler { ShippingHandler() }

    /// Declares the names in the table of `StopwatchHandler`.
    public static func declare(_ names: inout MessageNames) {
        names.latest("stopwatch/elapsed", from: .phone, upTo: 5)
        names.interactive("stopwatch/start", from: .watch, upTo: 5)
        names.interactive("stopwatch/pause", from: .watch, upTo: 5)
        names.interactive("stopwatch/save", from: .watch, upTo: 5)
        names.queued("stopwatch/laps", from: .phone, upTo: 5, waiting: 4)
    }

    /// The limit in bytes. A PBM picture of the whole panel, 144 x 168 pixels, has 3,035 bytes.
    public static var largestFile: Int { 4_096 }

    /// Shows what arrives: the time, a saved time, a picture, or the answer to a button.
    public func take<B: Board & ~Copyable>(_ message: HandlerMessage, on watch: inout WatchCore<B>) {
        switch message.event {
        case .value:
            guard let seconds = message.value(UInt32.self) else { return }
            show(clock(seconds), on: &watch)
            // Only the time 0 opens the sheet. Later times do not reopen a sheet that the wearer has closed.
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
        // The phone asks this handler nothing, and the handler passes no queued messages.
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
            // The answer to the previous press is on its way.
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

private func clock(_ seconds: UInt32) -> ShortText {
    let (high, low) = seconds < 3_600 ? (seconds / 60, seconds % 60) : (seconds / 3_600, seconds / 60 % 60)
    var text = ShortText()
    text.append(high, digits: 2)
    text.append(":")
    text.append(low, digits: 2)
    return text
}
