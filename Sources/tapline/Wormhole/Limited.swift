import WatchLink
import Wormhole

/// Work that is given up when its time is over.
enum Limited {
    /// Returns once `body` has, or the time is over; it throws what `body` throws.
    static func run(_ limit: DurationChoice, _ body: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask(operation: body)
            group.addTask { try await SystemClock().sleep(until: SystemClock().now + limit.microseconds) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
