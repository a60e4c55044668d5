import Foundation
import Wormhole

/// A command that runs until it is interrupted, or is done. Where the program that has the side open leaves, it goes on with
/// the one that opens it next, or opens it itself.
enum LongCommand {
    /// Whether the command goes on.
    enum Step {
        case goOn
        case done
    }

    /// - Parameter body: performs the command over a side, which may be another each time; it throws `.closed` where that ends.
    static func run(
        _ options: SideOptions, _ body: @escaping @Sendable (JoinedSide) async throws -> Void
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
        _ options: SideOptions, _ body: @Sendable (JoinedSide) async throws -> Void
    ) async throws {
        while !Task.isCancelled {
            do {
                return try await JoinedSide.with(options, .link, body)
            } catch WormholeError.closed {
                // The program that had the side has left, or this one was interrupted.
                continue
            } catch WormholeFailure.reply(let failure) where failure.kind == .closed {
                continue
            }
        }
    }
}
