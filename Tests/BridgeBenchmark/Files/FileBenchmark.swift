import ArgumentParser
import BenchmarkFigures
import Foundation
import HostSystem

/// How fast a file arrives.
struct FileBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "file",
        abstract: "Times a file from one process to another, beside bare calls of send with datagrams as long.",
        discussion: """
            The bare ways are one thread with blocking calls on each side. From memory to memory they send and receive, and nothing \
            else. From file to file the sender reads each piece from the file (pread), and the receiver writes it into another \
            (pwrite), which is synchronised to the disk (fsync) before the receiver says that it is there. The bridge does that, and \
            computes the SHA-256 of the file on both sides, before the first byte is offered and as it arrives, keeps a list of the \
            files that are on their way, and has each survive the end of either program.
            """)

    @Option(help: "How often each way has its turn.")
    var turns = 7

    @Option(help: ArgumentHelp("The length of the file, in KiB.", valueName: "KiB"))
    var size = 16_384

    @Option(help: "The directory of the files: which disk they are on.")
    var place = "/tmp"

    func validate() throws {
        guard turns > 0, size > 0, size <= 16_384 else { throw ValidationError("a file has 1 to 16,384 KiB") }
    }

    func run() async throws {
        try Cores.keep(on: Cores.own)
        for cores in Cores.possible { print(try await measure(cores).text) }
    }

    private func measure(_ cores: Cores) async throws -> Figures {
        let bytes = size << 10
        let directory = try TemporaryDirectory(in: place)
        let path = directory.path + "/file"
        try Data((0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 31) }).write(to: URL(filePath: path))
        let memory = try RawFileSender(OtherProcess(doing: .file(.memory), on: cores.other, in: place), path, bytes)
        let disk = try RawFileSender(OtherProcess(doing: .file(.disk), on: cores.other, in: place), path, bytes)
        let bridge = try await BridgeFileSender(
            OtherProcess(doing: .file(.bridge), on: cores.other, in: place), path)
        var rates: (memory: [Double], disk: [Double], bridge: [Double], hash: [Double]) = ([], [], [], [])
        // The first turn of each warms the caches up and is not counted.
        for turn in 0...turns {
            let alone = try await rate(bytes) { try await memory.send(from: .memory) }
            let files = try await rate(bytes) { try await disk.send(from: .file) }
            let passed = try await rate(bytes) { try await bridge.send() }
            let hash = try await rate(bytes) { _ = SHA256.digest(of: Array(try Data(contentsOf: URL(filePath: path)))) }
            guard turn > 0 else { continue }
            rates.memory.append(alone)
            rates.disk.append(files)
            rates.bridge.append(passed)
            rates.hash.append(hash)
        }
        await bridge.close()
        var figures = Figures("a file of \(size) KiB in \(place), \(cores.title), \(turns) turns")
        figures.add("bare, from memory to memory", rates.memory, "MB/s")
        figures.add("bare, from file to file", rates.disk, "MB/s")
        figures.add("SHA-256 of it, on one side", rates.hash, "MB/s")
        figures.add("Wormhole.send", rates.bridge, "MB/s")
        figures.add("  / bare, from memory to memory", zip(rates.bridge, rates.memory).map { $0 / $1 }, digits: 2, "x")
        figures.add("  / bare, from file to file", zip(rates.bridge, rates.disk).map { $0 / $1 }, digits: 2, "x")
        return figures
    }

    /// Megabytes a second.
    private func rate(_ bytes: Int, _ body: () async throws -> Void) async throws -> Double {
        let start = steadyNanoseconds()
        try await body()
        return Double(bytes) * 1_000 / Double(steadyNanoseconds() - start)
    }
}

/// Where the other process puts a file.
enum FileReceiver: String {
    case memory = "memory-receiver"
    case disk = "disk-receiver"
    case bridge = "file-receiver"

    var answerer: any Answerer {
        switch self {
        case .memory: RawFileReceiver(target: .memory)
        case .disk: RawFileReceiver(target: .disk)
        case .bridge: BridgeFileReceiver()
        }
    }
}
