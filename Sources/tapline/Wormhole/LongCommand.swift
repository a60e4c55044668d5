import Foundation
import Synchronization
import WatchLink
import Wormhole

/// A command that runs until it is interrupted or done. If the program that has the endpoint open leaves, the command continues
/// with the program that opens it next, or opens it itself.
enum LongCommand {
    /// - Parameter body: performs the command, each time with another program. It throws `.closed` if that program leaves.
    static func run(
        _ options: SideOptions, _ body: @escaping @Sendable (EndpointClient) async throws -> Void
    ) async throws {
        let signals = StopSignals()
        let arrivals = signals.arrivals
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in arrivals { return } }
            group.addTask { try await EndpointClient.again(options, .link, body) }
            defer { group.cancelAll() }
            try await group.next()
        }
        withExtendedLifetime(signals) {}
    }
}

/// The number of events that a command still waits for; nil for no limit.
final class Countdown: Sendable {
    private let left: Mutex<Int?>

    init(_ count: Int?) {
        left = Mutex(count)
    }

    /// The remaining number; nil for no limit.
    var count: Int? { left.withLock { $0 } }

    var isRunning: Bool { left.withLock { $0 != 0 } }

    func step() { left.withLock { $0 = $0.map { $0 - 1 } } }
}

/// The time limit of a command, which continues when another program takes the endpoint over. It starts with the first call of
/// `rest()`.
struct CommandTime {
    private let length: DurationChoice
    private var end: WatchLink.Instant?

    init(_ length: DurationChoice) { self.length = length }

    mutating func rest() -> DurationChoice {
        let now = SystemClock().now
        let end = self.end ?? now + length.microseconds
        self.end = end
        return DurationChoice(milliseconds: UInt32(clamping: (max(end, now) - now).count / 1_000))
    }
}

/// Work that is cancelled when its time is over.
enum Limited {
    /// Returns the result of `body`, nil if the time is over. Throws the errors of `body`.
    @discardableResult
    static func run<Value: Sendable>(
        _ limit: DurationChoice, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value? {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await SystemClock().sleep(until: SystemClock().now + limit.microseconds)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}
