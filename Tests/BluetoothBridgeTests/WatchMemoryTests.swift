import Foundation
import Testing
import WatchLink
import Wormhole

@testable import BluetoothBridge

struct WatchMemoryTests {
    private let path = FileManager.default.temporaryDirectory.appending(path: "watches-\(UUID().uuidString)/watches")
        .path
    private let adapter: BluetoothAddress
    private let watch: BluetoothPeer

    init() throws {
        adapter = try #require(BluetoothAddress("00:AA:01:01:00:24"))
        watch = BluetoothPeer(try #require(BluetoothAddress("C0:AA:01:00:00:23")), .random)
    }

    private func removeFile() {
        try? FileManager.default.removeItem(at: URL(fileURLWithPath: path).deletingLastPathComponent())
    }

    @Test
    func
        `A watch is remembered by other processes, for its adapter and the kind of its address, until it is forgotten`()
        throws
    {
        defer { removeFile() }
        let (here, there) = (WatchMemory(path: path), WatchMemory(path: path))
        #expect(!there.contains(watch, on: adapter))
        here.remember(watch, on: adapter)
        #expect(there.contains(watch, on: adapter))
        #expect(!there.contains(BluetoothPeer(watch.address, .public), on: adapter))
        #expect(!there.contains(watch, on: watch.address))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        there.forget(watch, on: adapter)
        #expect(!WatchMemory(path: path).contains(watch, on: adapter))
    }

    @Test func `If there is no file, or none can be written, this process remembers`() {
        for memory in [WatchMemory(), WatchMemory(path: "/proc/none/watches")] {
            memory.remember(watch, on: adapter)
            #expect(memory.contains(watch, on: adapter))
        }
    }

    @Test func `The file stays short, and a line that is not ours names no watch`() throws {
        defer { removeFile() }
        let memory = WatchMemory(path: path)
        for number in 0..<200 as Range<UInt8> {
            memory.remember(
                BluetoothPeer(try #require(BluetoothAddress(bytes: [0, 0, 0, 0, 0, number])), .public), on: adapter)
        }
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == WatchMemory.most)
        #expect(lines.last == "00:AA:01:01:00:24 00:00:00:00:00:C7")
        try Data(repeating: 0xFF, count: 1 << 20).write(to: URL(fileURLWithPath: path))
        #expect(!WatchMemory(path: path).contains(watch, on: adapter))
    }
}

@Suite(.timeLimit(.minutes(60)))
struct BondedWatchesMemoryTests {
    /// Ends the advertising of a watch. Then advertises the battery service on the same machine, as if another program
    /// ran there.
    private func endProgram(of watch: PhoneBench.Neighbour) async throws -> BluetoothRegistration {
        await watch.advertising.end()
        return try await watch.control.advertise(
            BluetoothAdvertisement(name: "machine", service: .battery), on: "hci0")
    }

    @Test(arguments: [false, true])
    func `A watch stays one while there are keys for it, and is tried again`(_ isAfterRestart: Bool) async throws {
        let bench = PhoneBench()
        let watch = try await bench.bonded(1)
        let memory = WatchMemory()
        var listener = bench.makeListener(memory)
        let channel = try await listener.accept()
        if isAfterRestart { listener.close() }
        let advertising = try await endProgram(of: watch)
        if isAfterRestart {
            listener = bench.makeListener(memory)
        } else {
            try #require(bench.openings.watchEnd(of: watch.address)).close()
            await #expect(throws: WormholeError.closed) { _ = try await channel.receive() }
            try await bench.pass(to: BondedWatches.settlingPause, BondedWatches.scanInterval)
        }
        _ = try await listener.accept()
        #expect(bench.openings.attempts.count == 2)
        await advertising.end()
        listener.close()
    }

    @Test func `A watch that the user blocks and unblocks is still one, though its program has ended`() async throws {
        let bench = PhoneBench()
        let watch = try await bench.bonded(1)
        let listener = bench.makeListener()
        let channel = try await listener.accept()
        let advertising = try await endProgram(of: watch)
        try bench.phone.block(watch.peer, on: "hci0")
        channel.close()
        try await bench.pass(to: BondedWatches.settlingPause, BondedWatches.scanInterval)
        try await bench.end(of: watch)
        try bench.phone.unblock(watch.peer, on: "hci0")
        bench.go(to: BondedWatches.scanInterval)
        try await bench.rest(until: .seconds(4))
        #expect(bench.openings.attempts.count == 2)
        await advertising.end()
        listener.close()
    }

    @Test func `What was unpaired is forgotten, and what was never a watch is not tried`() async throws {
        let bench = PhoneBench()
        let watch = try await bench.bonded(1)
        let other = try await bench.bonded(2, .battery)
        let memory = WatchMemory()
        let listener = bench.makeListener(memory)
        let channel = try await listener.accept()
        #expect(memory.contains(watch.peer, on: PhoneBench.phoneAddress))
        try await bench.phone.forget(watch.peer, on: "hci0")
        channel.close()
        try await bench.rest(until: BondedWatches.settlingPause, BondedWatches.scanInterval)
        bench.go(to: BondedWatches.scanInterval)
        try await bench.end(of: watch)
        #expect(!memory.contains(watch.peer, on: PhoneBench.phoneAddress))
        #expect(!memory.contains(other.peer, on: PhoneBench.phoneAddress))
        #expect(bench.openings.attempts.map(\.watch) == [watch.address])
        listener.close()
    }
}
