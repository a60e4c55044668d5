import Foundation
import HostSystem
import Synchronization

/// Runs a range of seeds in several processes. A seed that crashes or blocks its process counts as a broken promise.
struct SoakPool {
    let processes: Int
    /// The command that starts a worker, without the range that follows. The default starts this program again.
    var command = [URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path, "--worker"]

    /// The number of seeds that a worker gets at a time. It is small, so that all processes end at about the same time.
    private static let partLength: UInt64 = 50

    private final class Work: Sendable {
        private struct Contents {
            var next: UInt64?
            var report = RangeReport()
            var failure: WorkerError?
        }

        private let contents: Mutex<Contents>
        private let range: SeedRange

        init(_ range: SeedRange) {
            contents = Mutex(Contents(next: range.seeds.lowerBound))
            self.range = range
        }

        func next() -> ClosedRange<UInt64>? {
            contents.withLock { contents in
                guard let first = contents.next else { return nil }
                let isLast = range.seeds.upperBound - first < SoakPool.partLength
                let last = isLast ? range.seeds.upperBound : first + SoakPool.partLength - 1
                contents.next = isLast ? nil : last + 1
                return first...last
            }
        }

        func add(_ report: RangeReport) {
            contents.withLock { $0.report.add(report) }
        }

        func fail(_ error: WorkerError) { contents.withLock { $0.failure = error } }

        func result() throws(WorkerError) -> RangeReport {
            let (report, failure) = contents.withLock { ($0.report, $0.failure) }
            if let failure { throw failure }
            return report
        }
    }

    func run(_ range: SeedRange) throws(WorkerError) -> RangeReport {
        let work = Work(range)
        signal(SIGPIPE, SIG_IGN)
        let parts = (range.count - 1) / SoakPool.partLength + 1
        var threads: [SystemThread] = []
        for _ in 0..<Int(min(UInt64(processes), parts)) {
            threads.append(
                try SoakPool.thread { [command] in
                    do throws(WorkerError) { try SoakPool.serve(work, command) } catch { work.fail(error) }
                })
        }
        for thread in threads { thread.join() }
        return try work.result()
    }

    private static func thread(_ body: @escaping @Sendable () -> Void) throws(WorkerError) -> SystemThread {
        do throws(HostSystemError) { return try SystemThread(body: body) } catch { throw WorkerError("\(error)") }
    }

    private static func serve(_ work: Work, _ command: [String]) throws(WorkerError) {
        // The remaining seeds of a part whose worker was lost. The seeds before the lost seed run again, because a
        // worker reports only at its end.
        var parts: [ClosedRange<UInt64>] = []
        var failures = 0
        while let part = parts.popLast() ?? work.next() {
            guard failures < 3 else { throw WorkerError("\(command[0]) ends before it has run a seed") }
            var worker = try WorkerProcess(command, part)
            switch worker.answer() {
            case .report(let report):
                work.add(report)
                failures = 0
            case .lost(let seed, let reason):
                work.add(RangeReport(losing: seed, because: reason))
                if seed < part.upperBound { parts.append(seed + 1...part.upperBound) }
                if seed > part.lowerBound { parts.append(part.lowerBound...seed - 1) }
                failures = 0
            case .nothing:
                parts.append(part)
                failures += 1
            }
        }
    }
}
