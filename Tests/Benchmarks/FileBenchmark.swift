import ArgumentParser
import Foundation
import Glibc
import HostSystem
import TestSupport
import Wormhole

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
        let directory = TemporaryDirectory(in: place)
        let path = directory.file("file")
        try Data((0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 31) }).write(to: URL(filePath: path))
        let memory = try RawFileSender(OtherProcess(doing: .takesBytes, on: cores.other, in: place), path, bytes)
        let disk = try RawFileSender(OtherProcess(doing: .takesFile, on: cores.other, in: place), path, bytes)
        let bridge = try await BridgeFileSender(
            OtherProcess(doing: .receivesFile, on: cores.other, in: place), path)
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

    private func rate(_ bytes: Int, _ body: () async throws -> Void) async throws -> Double {
        let start = steadyNanoseconds()
        try await body()
        return Double(bytes) * 1_000 / Double(steadyNanoseconds() - start)
    }
}

struct BridgeFileSender: Sendable {
    private let other: OtherProcess
    private let phone: Wormhole
    private let watch: PeerIdentity
    private let path: String

    init(_ other: OtherProcess, _ path: String) async throws {
        self.other = other
        self.path = path
        (phone, watch) = try await Wormhole.phone(
            of: other, store: try MessageStore(path: other.directory.file("sender")))
    }

    func send() async throws {
        let transfer = try await phone.send(fileAt: path, as: "file", to: watch)
        guard await transfer.finalFate() == .applied else { throw OtherProcessHasGone() }
    }

    func close() async { await phone.close() }
}

struct BridgeFileReceiver: Answerer {
    func serve(in directory: String) async throws {
        let files = directory + "/files"
        try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: false)
        let watch = try Wormhole.watch(in: directory, store: try MessageStore(path: directory + "/receiver"))
        let reception = try watch.receiveFiles(into: files)
        let removing = Task {
            for await file in reception.files { try? FileManager.default.removeItem(atPath: file.path) }
        }
        try await watch.start()
        try await OtherProcess.waitForEnd()
        await watch.close()
        await removing.value
    }
}

struct RawFileSender: Sendable {
    enum Source: Sendable {
        case memory
        case file
    }

    static let datagram = UnixListener.usualLargestDatagram

    private let other: OtherProcess
    private let path: String
    private let count: Int

    init(_ other: OtherProcess, _ path: String, _ count: Int) throws {
        self.other = other
        self.path = path
        self.count = count
    }

    /// Sends the file, and waits until the receiver has confirmed that it has all of it.
    func send(from source: Source) async throws {
        let isThere = try await SystemThread.result { [other, path, count] in
            guard let socket = other.socket.number else { return false }
            return RawFileSender.send(path, count, from: source, over: socket)
        }
        guard isThere else { throw OtherProcessHasGone() }
    }

    private static func send(_ path: String, _ count: Int, from source: Source, over socket: CInt) -> Bool {
        var length = UInt64(count)
        guard Glibc.send(socket, &length, 8, 0) == 8 else { return false }
        var buffer = [UInt8](repeating: 1, count: datagram)
        let file = open(path, O_RDONLY)
        defer { close(file) }
        var done = 0
        while done < count {
            let size = min(count - done, datagram)
            switch source {
            case .memory: break
            case .file: guard pread(file, &buffer, size, off_t(done)) == size else { return false }
            }
            guard Glibc.send(socket, buffer, size, 0) == size else { return false }
            done += size
        }
        var answer: UInt8 = 0
        return recv(socket, &answer, 1, 0) == 1
    }
}

struct RawFileReceiver: Answerer {
    enum Target: Sendable {
        case memory
        case disk
    }

    let target: Target

    func serve(in directory: String) async throws {
        try await SystemThread.result { [target] in
            var length: UInt64 = 0
            while recv(OtherProcess.given, &length, 8, 0) == 8 {
                guard receive(Int(length), to: target, directory + "/received") else { return }
                var answer: UInt8 = 1
                _ = send(OtherProcess.given, &answer, 1, CInt(MSG_NOSIGNAL))
                unlink(directory + "/received")
            }
        }
    }

    private func receive(_ count: Int, to target: Target, _ path: String) -> Bool {
        var buffer = [UInt8](repeating: 0, count: RawFileSender.datagram)
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        defer { close(file) }
        var done = 0
        while done < count {
            let size = recv(OtherProcess.given, &buffer, buffer.count, 0)
            guard size > 0 else { return false }
            switch target {
            case .memory: break
            case .disk: guard pwrite(file, buffer, size, off_t(done)) == size else { return false }
            }
            done += size
        }
        switch target {
        case .memory: return true
        case .disk: return fsync(file) == 0
        }
    }
}
