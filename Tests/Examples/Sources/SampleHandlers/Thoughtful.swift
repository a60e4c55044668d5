import Watch
import WatchLink

/// A planted handler: its taps are quick, and it thinks for a quarter of a second about each number that the phone passes.
public struct ThoughtfulHandler: ComposedTapHandler {
    /// The handler has no state.
    public init() {}

    /// The stages of a quick tap.
    public var stages: some TapHandler {
        Immediate(ListModel.self)
        Immediate(StrikeThrough.self)
        Immediate(RowRemoval.self)
        Deferred(PhoneMessage.self)
    }

    /// A number from the phone, and a question to it.
    public static func declare(_ names: inout MessageNames) {
        names.queued("thoughtful/number", from: .phone)
        names.interactive("thoughtful/opinion", from: .phone)
    }

    /// Thinks about a number, and answers a question at once.
    public func take<B: Board & ~Copyable>(_ message: HandlerMessage, on watch: inout WatchCore<B>) {
        switch message.event {
        case .queued:
            guard let number = message.value(UInt32.self) else { return }
            watch.board.play(ThoughtfulHandler.think(about: number) == 0 ? .failure : .click)
        case .asked:
            do throws(MessageError) {
                try watch.answer("thoughtful/opinion", true)
            } catch {
                watch.board.play(.failure)
            }
        case .value, .cleared, .passed, .over, .file:
            break
        }
    }

    /// Two million steps of a generator of random numbers (xorshift).
    @inline(never)
    private static func think(about number: UInt32) -> UInt32 {
        var state = number | 1
        for _ in 0..<2_000_000 {
            state ^= state &<< 13
            state ^= state &>> 17
            state ^= state &<< 5
        }
        return state
    }
}
