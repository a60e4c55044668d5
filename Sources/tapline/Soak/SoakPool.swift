import Foundation
import HostSystem
import Soak
import Synchronization

/// Shares a range of seeds among processes. A seed that ends its process is found, and counts as a broken promise.
struct SoakPool {
    let processes: Int

    private final class Work: Sendable {
        struct Contents {
            var parts: [ClosedRange<UInt64>]
            var report = RangeReport()
        }

        let contents: Mutex<Contents>
        let total: Int

        init(_ range: SeedRange) {
            // Small enough that the processes end at the same time, large enough that asking costs nothing.
            contents = Mutex(Contents(parts: range.parts(of: 20).reversed()))
            total = range.seeds.count
        }

        func next() -> ClosedRange<UInt64>? { contents.withLock { $0.parts.popLast() } }

        func add(_ report: RangeReport) {
            let (seeds, count) = contents.withLock { contents in
                contents.report.add(report)
                return (contents.report.seeds, contents.report.violations.count)
            }
            guard isatty(STDERR_FILENO) == 1 else { return }
            let isLast = seeds == total
            let text = isLast ? "\r\u{1B}[K" : "\r\u{1B}[K\(seeds) of \(total) seeds, \(count) violations"
            FileHandle.standardError.write(Data(text.utf8))
        }
    }

    /// Runs the range.
    func run(_ range: SeedRange) throws -> RangeReport {
        let work = Work(range)
        signal(SIGPIPE, SIG_IGN)
        let threads = try (0..<min(processes, (range.seeds.count + 19) / 20)).map { _ in
            try SystemThread { SoakPool.serve(work) }
        }
        for thread in threads { thread.join() }
        return work.contents.withLock { $0.report }
    }

    private static func serve(_ work: Work) {
        guard var worker = try? WorkerProcess() else { return }
        while let part = work.next() {
            if let report = worker.run(part) {
                work.add(report)
                continue
            }
            // It has ended: which seed was it?
            for seed in part {
                worker.end()
                guard let next = try? WorkerProcess() else { return }
                worker = next
                work.add(worker.run(seed...seed) ?? RangeReport(ending: seed))
            }
            worker.end()
            guard let next = try? WorkerProcess() else { return }
            worker = next
        }
        worker.end()
    }
}
