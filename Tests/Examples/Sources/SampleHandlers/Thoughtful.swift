import Watch
import WatchLink

/// A handler that is slow on purpose. Its taps are quick, but it computes for a quarter of a second on each number that
/// the phone sends.
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

    /// Declares a queued number and a question, both from the phone.
    public static func declare(_ names: inout MessageNames) {
        names.queued("thoughtful/number", from: .phone)
        names.interactive("thoughtful/opinion", from: .phone)
    }

    /// Computes for each number that arrives. Answers a question at once.
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
