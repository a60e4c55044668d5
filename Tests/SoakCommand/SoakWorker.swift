import Foundation
import Glibc
import Soak

/// A process that runs ranges of seeds: it reads one a line from its standard input, answers with each seed that it begins
/// and with a report at the end, and ends with its input, so that none is left when the one that asks is gone.
enum SoakWorker {
    static func serve() {
        WorkerThread.begin()
        while let line = readLine() {
            guard let range = try? SeedRange(line) else { return }
            let report = RangeReport(running: range.seeds) { say("\($0)") }
            say(report.json)
        }
    }

    /// Writes a line, or ends the process if no other reads it.
    private static func say(_ line: String) {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
        } catch {
            exit(1)
        }
    }
}
