import Foundation
import Glibc
import Soak

/// A process that runs ranges of seeds: it reads one a line from its standard input, answers with a report each, and ends
/// with its input, so that none is left when the one that asks is gone.
enum SoakWorker {
    static func serve() {
        while let line = readLine() {
            guard let range = try? SeedRange(line) else { return }
            FileHandle.standardOutput.write(Data((RangeReport(running: range.seeds).json + "\n").utf8))
        }
    }
}

/// The asking end of a worker.
final class WorkerProcess {
    private let process = Process()
    private let requests = Pipe()
    private let reports = Pipe()
    private var unread = Data()

    init() throws {
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["soak", "--worker"]
        process.standardInput = requests
        process.standardOutput = reports
        try process.run()
    }

    /// Has it run `range`; nil where it has ended instead.
    func run(_ range: ClosedRange<UInt64>) -> RangeReport? {
        try? requests.fileHandleForWriting.write(contentsOf: Data("\(range.lowerBound)-\(range.upperBound)\n".utf8))
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: unread[..<end], as: UTF8.self)
                unread = Data(unread[unread.index(after: end)...])
                return (try? RangeReport.reports(in: line))?.first
            }
            guard let data = try? reports.fileHandleForReading.read(upToCount: 65_536), !data.isEmpty else {
                return nil
            }
            unread += data
        }
    }

    func end() {
        try? requests.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
