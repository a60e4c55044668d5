import Foundation
import Glibc

/// A process that runs a range of seeds. It prints each seed as it begins, and a report at the end.
enum SoakWorker {
    static func run(_ range: SeedRange) {
        WorkerThread.begin()
        let report = RangeReport(running: range.seeds) { say("\($0)") }
        say(report.json)
    }

    /// Writes a line. Ends the process if no other process reads it.
    private static func say(_ line: String) {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
        } catch {
            exit(1)
        }
    }
}
