import Watch
import WatchLink

/// A handler that declares messages of every kind of delivery, in both directions. Its sheet shows the newest event. The
/// handler passes each queued message back to the phone as "echo".
struct NotingHandler: ComposedTapHandler {
    var stages: some TapHandler {
        Immediate(ListModel.self)
        Immediate(StrikeThrough.self)
        Immediate(RowRemoval.self)
        Deferred(PhoneMessage.self)
        Deferred(NoteTap.self)
    }

    static func declare(_ names: inout MessageNames) {
        names.latest("limit", from: .phone, upTo: 9)
        names.latest("floor", from: .phone, upTo: 5)
        names.latest("taps", from: .watch)
        names.queued("note", from: .watch, waiting: 3)
        names.queued("order", from: .phone, upTo: 9, waiting: 2)
        names.queued("echo", from: .watch, waiting: 3)
        names.interactive("start", from: .watch)
        names.interactive("hello", from: .watch)
        names.interactive("status", from: .phone)
        names.interactive("later", from: .phone)
        names.interactive("values", from: .phone)
    }

    func take<B: Board & ~Copyable>(_ message: HandlerMessage, on watch: inout WatchCore<B>) {
        var text = ShortText()
        text.append(message.name)
        switch message.event {
        case .value, .over(.answered):
            text.append(" ")
            text.append(message.value(UInt32.self) ?? 0)
        case .cleared: text.append(" cleared")
        case .queued:
            text.append(" taken")
            _ = try? watch.pass(message.value(UInt32.self) ?? 0, under: "echo")
        case .asked:
            if message.isNamed("values") {
                let limit = watch.value(UInt32.self, under: "limit") ?? 0
                try? watch.answer("values", limit * 1_000 + (watch.value(UInt32.self, under: "floor") ?? 0))
            }
            guard message.isNamed("status") else { break }
            try? watch.answer("status", (message.value(UInt32.self) ?? 0) + 1)
        case .over(.refused(let status)):
            text.append(" refused ")
            text.append(UInt32(status.rawValue))
        case .over(.late): text.append(" late")
        case .over(.outOfReach): text.append(" lost")
        case .file: text.append("file")
        case .passed: return
        }
        watch.sheet = HandlerSheet(title: "Notes", text: text, buttons: "Ask", "Tell", "Later")
        watch.showSheet()
    }

    func press<B: Board & ~Copyable>(_ button: Int, on watch: inout WatchCore<B>) {
        do throws(MessageError) {
            switch button {
            case 0: try watch.ask("start", 7 as UInt32, within: .seconds(2))
            case 1: try watch.tell("hello", Nothing(), within: .seconds(2))
            default: try watch.answer("later", 42 as UInt32)
            }
        } catch {
            watch.sheet = HandlerSheet(title: "Notes", text: NotingHandler.text(error), buttons: "Ask", "Tell", "Later")
        }
    }

    private static func text(_ error: MessageError) -> ShortText {
        var text = ShortText()
        switch error {
        case .notDeclared: text.append("not declared")
        case .tooLong: text.append("too long")
        case .queueFull: text.append("queue full")
        case .notKept: text.append("not kept")
        case .outOfReach: text.append("out of reach")
        case .busy: text.append("busy")
        }
        return text
    }
}

private struct NoteTap: TapStage {
    static var name: StaticString { "note of the tap" }

    static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        _ = try? watch.pass(tap.number.count, under: "taps")
        _ = try? watch.pass(tap.number.count, under: "note")
    }
}
