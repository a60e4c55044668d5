import Foundation
import Glibc

/// A process that runs a range of seeds: it says each seed that it begins, and a report at the end.
enum SoakWorker {
    static func run(_ range: SeedRange) {
        WorkerThread.begin()
        let report = RangeReport(running: range.seeds) { say("\($0)") }
        say(report.json)
    }

    /// Writes a line, or ends the process if no other reads it: none is left when the one that asks is gone.
    private static func say(_ line: String) {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
        } catch {
            exit(1)
        }
    }
}
