import Foundation
import HostSystem
import Synchronization

/// Is told how far a range of seeds is.
protocol SoakProgressing: Sendable {
    /// - Parameters:
    ///   - report: what has come of the seeds that ran.
    ///   - total: the seeds of the range.
    func note(_ report: RangeReport, of total: UInt64)
}

/// Says on the standard error how far a range is: in a terminal on one line, elsewhere once a minute.
final class SoakProgress: SoakProgressing {
    private let start = ContinuousClock.now
    private let last = Mutex(ContinuousClock.now)

    func note(_ report: RangeReport, of total: UInt64) {
        let now = ContinuousClock.now
        let isTerminal = isatty(STDERR_FILENO) == 1
        let isLast = report.seeds == total
        let isDue = last.withLock { last in
            guard isLast || last + (isTerminal ? .milliseconds(200) : .seconds(60)) <= now else { return false }
            last = now
            return true
        }
        guard isDue else { return }
        let text =
            switch (isTerminal, isLast) {
            case (true, true): "\r\u{1B}[K"
            case (true, false): "\r\u{1B}[K" + line(report, total, at: now)
            case (false, true): ""
            case (false, false): line(report, total, at: now) + "\n"
            }
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }

    private func line(_ report: RangeReport, _ total: UInt64, at now: ContinuousClock.Instant) -> String {
        let elapsed = (now - start) / .seconds(1)
        let left = elapsed * Double(total - report.seeds) / Double(max(report.seeds, 1))
        let violations = CountText(report.found.count, "violation")
        return "\(report.seeds) of \(CountText(total, "seed")), \(violations), \(Int(left.rounded())) s left"
    }
}
