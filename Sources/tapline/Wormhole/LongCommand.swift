import Foundation
import Synchronization
import WatchLink
import Wormhole

/// A command that runs until it is interrupted, or is done. If the program that has the endpoint open leaves, the command goes on with
/// the program that opens it next, or opens it itself.
enum LongCommand {
    /// - Parameter body: performs the command, each time with another program; it throws `.closed` if that program leaves.
    static func run(
        _ options: SideOptions, _ body: @escaping @Sendable (EndpointClient) async throws -> Void
    ) async throws {
        let signals = StopSignals()
        let arrivals = signals.arrivals
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in arrivals { return } }
            group.addTask { try await repeatedly(options, body) }
            defer { group.cancelAll() }
            try await group.next()
        }
        withExtendedLifetime(signals) {}
    }

    private static func repeatedly(
        _ options: SideOptions, _ body: @Sendable (EndpointClient) async throws -> Void
    ) async throws {
        while !Task.isCancelled {
            do {
                return try await EndpointClient.with(options, .link, body)
            } catch WormholeError.closed {
                // The program that had the endpoint has left, or this one was interrupted.
                continue
            } catch let failure as EndpointFailure where failure.isLeaving {
                continue
            }
        }
    }
}

/// How many more things a command waits for; nil for as many as come.
final class Countdown: Sendable {
    private let left: Mutex<Int?>

    init(_ count: Int?) {
        left = Mutex(count)
    }

    /// How many more; nil for as many as come.
    var count: Int? { left.withLock { $0 } }

    var isRunning: Bool { left.withLock { $0 != 0 } }

    func step() { left.withLock { $0 = $0.map { $0 - 1 } } }
}

/// Work that is given up when its time is over.
enum Limited {
    /// Returns what `body` returns, or nil once the time is over; it throws what `body` throws.
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
