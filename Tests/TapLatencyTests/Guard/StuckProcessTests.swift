import Foundation
import Testing
import WatchLink

@testable import TapLatency

/// A copy of a process may find a lock held that nobody frees.
@Suite struct StuckProcessTests {
    @Test func `A measurement that spins outside of all stages is started anew`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "stuck-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let limits = StageLimits(waiting: .seconds(10), computing: 1, blocked: 30)
        let attempts = try StageGuard.run(limits) { () throws(TapLatencyError) -> Int in
            // Only the first copy meets the lock.
            let descriptor = open(file, O_CREAT | O_EXCL | O_WRONLY, 0o600)
            while descriptor >= 0 {}
            return 2
        }
        #expect(attempts == 2)
    }
}
