import HostSystem
import Synchronization

/// A program answers a name: it is asked what peers ask, and whatever it does not answer fails.
struct SharedAnswering {
    /// The questions that the program has not answered yet, and whether it is still there.
    private final class Questions: Sendable {
        private enum State {
            case open(next: UInt64, waiting: [UInt64: CheckedContinuation<AnswerOutcome, Never>])
            case ended
        }

        private let state = Mutex(State.open(next: 1, waiting: [:]))

        /// Waits for the answer to a question, which `send` tells the program.
        func ask(_ send: @escaping @Sendable (UInt64) async -> Void) async -> AnswerOutcome {
            await withCheckedContinuation { continuation in
                let number: UInt64? = state.withLock { state in
                    guard case .open(let number, var waiting) = state else { return nil }
                    waiting[number] = continuation
                    state = .open(next: number + 1, waiting: waiting)
                    return number
                }
                guard let number else { return continuation.resume(returning: .failure(.failed)) }
                Task { await send(number) }
            }
        }

        func answered(_ number: UInt64, _ outcome: AnswerOutcome) {
            let waiter: CheckedContinuation<AnswerOutcome, Never>? = state.withLock { state in
                guard case .open(let next, var waiting) = state else { return nil }
                let waiter = waiting.removeValue(forKey: number)
                state = .open(next: next, waiting: waiting)
                return waiter
            }
            waiter?.resume(returning: outcome)
        }

        func end() {
            let left: [CheckedContinuation<AnswerOutcome, Never>] = state.withLock { state in
                guard case .open(_, let waiting) = state else { return [] }
                state = .ended
                return Array(waiting.values)
            }
            for waiter in left { waiter.resume(returning: .failure(.failed)) }
        }
    }

    private let command: SharedCommand
    private let name: MessageName

    init(_ command: SharedCommand, _ name: MessageName) {
        self.command = command
        self.name = name
    }

    func run(_ further: AsyncStream<SharedRequest>) async throws(WormholeError) {
        let questions = Questions()
        let channel = command.channel
        let name = name
        let registration = try command.endpoint.answer(encoded: name) { payload, peer in
            await questions.ask { number in
                let heard = SharedReply.Heard(
                    name: name, peer: peer.description, delivery: .interactive, payload: payload)
                if (try? await channel.send(SharedReply.asked(number, heard))) == nil {
                    questions.answered(number, .failure(.failed))
                }
            }
        }
        do throws(WormholeError) {
            try await channel.send(SharedReply.ready)
        } catch {
            registration.end()
            questions.end()
            throw error
        }
        for await request in further {
            guard case .answered(let number, let payload) = request else { continue }
            questions.answered(number, payload.map(AnswerOutcome.value) ?? .failure(.failed))
        }
        registration.end()
        questions.end()
    }
}
