import Synchronization
import WatchLink
import Wormhole

/// Runs a command until it is done or a signal arrives. If the program with the endpoint ends, `body` throws `.closed`, and is
/// called again.
func runUntilInterrupted(
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

/// Counts down the events for which a command still waits. A `count` of nil means that the command waits for ever.
final class Countdown: Sendable {
    private let left: Mutex<Int?>

    init(_ count: Int?) {
        left = Mutex(count)
    }

    var count: Int? { left.withLock { $0 } }

    var isRunning: Bool { left.withLock { $0 != 0 } }

    func step() { left.withLock { $0 = $0.map { $0 - 1 } } }
}

/// The time limit of a command. It begins with the first call of `rest()`, and continues when another program takes the
/// endpoint over.
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

/// Runs `body` with a time limit. When the time is over, cancels `body` and returns nil.
@discardableResult
func limited<Value: Sendable>(
    to limit: DurationChoice, _ body: @escaping @Sendable () async throws -> Value
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
