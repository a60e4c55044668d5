import Foundation
import Testing

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

    @Test func `Where there is no file, or none can be written, this process remembers`() {
        for memory in [WatchMemory(), WatchMemory(path: "/proc/none/watches")] {
            memory.remember(watch, on: adapter)
            #expect(memory.contains(watch, on: adapter))
        }
    }

    @Test func `The file stays short, and what is no line of ours is nobody's watch`() throws {
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
