import Glibc
import Synchronization

/// Answers whether two numbers are the same, on a thread of its own, for as long as the process lives.
enum Agent {
    static let answer = Atomic(Air.Answer.yes)

    /// Starts it, unless it runs.
    static func start() { running }

    private static let running: Void = {
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { _ in
                guard let management = try? Management() else { return nil }
                while true {
                    guard let event = try? management.nextEvent() else { continue }
                    guard event.code == Management.confirmationRequest else { continue }
                    let answer = Agent.answer.load(ordering: .sequentiallyConsistent)
                    try? management.send(
                        answer == .yes ? .confirm : .deny, event.adapter, Array(event.parameters.prefix(7)))
                }
            }, nil)
        pthread_detach(thread)
    }()
}
