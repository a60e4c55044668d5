import DeviceModel
import TestDoubles
import Testing
import Watch
import WatchLink

/// A handler that takes files. The wearer waits for all its stages, and one of them waits for the phone.
private struct WaitingHandler: ComposedTapHandler {
    static var largestFile: Int { 65_536 }

    var stages: some TapHandler { LegacyHandler() }
}

private struct LengthHandler: ComposedTapHandler {
    static var largestFile: Int { 65_536 }

    var stages: some TapHandler { ShippingHandler() }

    func take<B: Board & ~Copyable>(_ message: HandlerMessage, on watch: inout WatchCore<B>) {
        guard message.event == .file, let file = watch.file else { return }
        watch.sheet = HandlerSheet(title: "File", text: ShortText(UInt32(file.length)))
    }
}

struct HandlerFilesTests {
    private func file(_ length: Int, transfer: UInt64 = 1) -> PhoneFile {
        let content = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        return PhoneFile(label: "file", content: content, transfer: transfer)
    }

    private func connected<Handler: TapHandler>(items: Int, _ handler: Handler) throws -> WatchBench<Handler> {
        let bench = try WatchBench(items: items, handler: handler)
        bench.connect()
        bench.run(for: .seconds(1))
        return bench
    }

    private func openSheet(_ bench: WatchBench<LengthHandler>) -> String? {
        bench.send(.press(.crown))
        bench.send(.hold(.crown))
        return bench.snapshot.description.sheet?.text
    }

    @Test func `a file of 64 KB arrives beside taps and messages, and none waits for it`() throws {
        let bench = try connected(items: 8, LengthHandler())
        bench.send(file(65_536))
        for _ in 0..<8 {
            bench.tap(0)
            bench.run(for: .seconds(1))
        }
        #expect(bench.checkOffs == [1, 2, 3, 4, 5, 6, 7, 8])
        #expect(bench.run { _ in bench.fileStates == [1: .stored] })
        #expect(openSheet(bench) == "65536")
    }

    @Test func `a stage that waits for the phone loses neither its tap nor the file`() throws {
        let bench = try connected(items: 3, WaitingHandler())
        bench.send(file(20_000))
        for _ in 0..<3 {
            bench.tap(0)
            bench.run(for: .seconds(10))
            bench.connect()
        }
        bench.run(for: .seconds(30))
        #expect(bench.checkOffs == [1, 2, 3])
        #expect(bench.fileStates == [1: .stored])
    }

    @Test func `a chip without room for files, and a handler that takes none, name none in the hello`() throws {
        let small = try WatchBench(
            phone: InMemoryPhone(items: 1), handler: LengthHandler(),
            flash: MemoryFlash(FlashGeometry(sectorCount: 16)))
        small.connect()
        small.send(file(10))
        small.run(for: .seconds(5))
        #expect(small.fileStates == [1: .waiting])
        let plain = try WatchBench.connected(items: 1)
        plain.send(file(10))
        plain.run(for: .seconds(5))
        #expect(plain.fileStates == [1: .waiting])
    }

    @Test func `a message of the phone's waits for two chunks of a file at most`() throws {
        let bench = try connected(items: 3, LengthHandler())
        let alone = try waits(of: bench, from: 100)
        bench.send(file(65_536))
        bench.run { _ in if case .sending(let offset)? = bench.fileStates[1] { offset > 2_000 } else { false } }
        let beside = try waits(of: bench, from: 200)
        if case .sending? = bench.fileStates[1] {} else { Issue.record("the file has arrived before the messages") }
        // A chunk takes a connection event of 15 ms.
        #expect(beside <= alone + Microseconds.milliseconds(2 * 15))
    }

    /// Adds five items on the phone, one after another. Returns the longest time until the watch shows a new item.
    private func waits(of bench: WatchBench<LengthHandler>, from id: UInt32) throws -> Microseconds {
        var longest = Microseconds.zero
        for number in id..<id + 5 {
            bench.run(for: .milliseconds(37))
            let begun = bench.watch.now
            bench.onPhone { $0.add(PhoneItem(id: number, title: "New")) }
            #expect(bench.run { $0.description.rows.contains { $0.id == number } })
            longest = max(longest, bench.watch.now - begun)
        }
        return longest
    }
}
