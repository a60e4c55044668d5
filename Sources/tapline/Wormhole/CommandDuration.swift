import Synchronization
import WatchLink
import Wormhole

/// Calls `body` until it returns, or until SIGINT, SIGTERM or SIGHUP arrives. If the program that has the endpoint open has
/// ended, `body` must throw `.closed`, and is then called again with a new client.
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

/// How many more messages or files a command prints before it ends. A `count` of nil means that the command never ends by
/// itself.
final class Countdown: Sendable {
    private let left: Mutex<Int?>

    init(_ count: Int?) {
        left = Mutex(count)
    }

    var count: Int? { left.withLock { $0 } }

    var isRunning: Bool { left.withLock { $0 != 0 } }

    func step() { left.withLock { $0 = $0.map { $0 - 1 } } }
}

/// The time limit of a command. The time starts with the first call of `rest()`, and each call returns the time that is
/// left. The time does not start again when another program opens the endpoint.
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

/// Runs `body` with a time limit. When the time is over, cancels `body`, waits until it has ended, and returns nil.
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
