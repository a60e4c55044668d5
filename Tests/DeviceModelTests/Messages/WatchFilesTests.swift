import DeviceModel
import TestDoubles
import Testing
import Watch
import WatchLink

struct WatchFilesTests {
    private func content(_ count: Int, seed: Int = 1) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8 &+ seed) }
    }

    private func sum(_ bytes: [UInt8]) -> UInt32 { bytes.reduce(0) { $0 &* 31 &+ UInt32($1) } % 1_000_000 }

    private func withFile() throws -> WatchBench<FilingHandler> {
        let bench = try WatchBench(items: 8, handler: FilingHandler())
        bench.connect()
        bench.send(PhoneFile(label: "old", content: content(900), transfer: 1))
        #expect(bench.run { _ in bench.fileStates[1] == .stored })
        return bench
    }

    @Test func `a file fails for good if the watch then takes no files`() throws {
        let before = try withFile()
        before.send(PhoneFile(label: "long", content: content(60_000), transfer: 2))
        before.run { _ in if case .sending? = before.fileStates[2] { true } else { false } }
        before.disconnect()
        let bench = try WatchBench(phone: before.phone, handler: ShippingHandler(), flash: before.flash.contents)
        bench.connect()
        #expect(bench.fileStates[2] == .failed(.notTaken(.file)))
    }

    private func probe(_ bench: WatchBench<FilingHandler>) -> String? {
        bench.pass(queued: "probe", 1 as UInt32)
        bench.run(for: .seconds(2))
        return bench.snapshot.description.sheet?.text
    }

    @Test(arguments: 0...30)
    func `another phone's watch never shows a file of the one before, wherever the power fails`(operations: Int) throws
    {
        let before = try withFile()
        // The newest file is in the second slot, and the power may fail before the watch has cleared that slot.
        before.send(PhoneFile(label: "newer", content: content(500), transfer: 2))
        #expect(before.run { _ in before.fileStates[2] == .stored })
        let other = InMemoryPhone(list: "Other", items: [PhoneItem(id: 1, title: "Other")], seed: 2)
        let bench = try WatchBench(phone: other, handler: FilingHandler(), flash: before.flash.contents)
        bench.flash.change { $0.power = .failing(operations: operations, noise: FlashNoise(seed: 7)) }
        bench.radio.connect()
        bench.run(for: .seconds(5))
        bench.flash.change { $0.power = .on }
        try bench.restart()
        for _ in 0..<2 {
            bench.radio.connect()
            bench.run(for: .seconds(5))
        }
        #expect(bench.titles == ["Other"])
        #expect(probe(bench) == "none")
    }

    @Test func `the generation counts on when another phone takes the watch over`() throws {
        let before = try withFile()
        #expect(probe(before)?.hasSuffix(" 1") == true)
        let other = InMemoryPhone(list: "Other", items: [PhoneItem(id: 1, title: "Other")], seed: 2)
        let bench = try WatchBench(phone: other, handler: FilingHandler(), flash: before.flash.contents)
        for _ in 0..<2 {
            bench.radio.connect()
            bench.run(for: .seconds(5))
        }
        bench.send(PhoneFile(label: "new", content: content(900, seed: 2), transfer: 2))
        #expect(bench.run { _ in bench.fileStates[2] == .stored })
        #expect(probe(bench) == "900 \(sum(content(900, seed: 2))) 2")
    }

    @Test func `power cuts at any operation of a transfer lose neither a check-off nor a file`() throws {
        let base = try withFile()
        let (old, new) = (content(900), content(3_000, seed: 5))
        for operations in 0..<40 {
            let bench = try WatchBench(
                phone: InMemoryPhone(restoredFrom: base.phone), handler: FilingHandler(), flash: base.flash.contents)
            bench.connect()
            let titles = Set(bench.titles)
            bench.flash.change {
                $0.power = .failing(operations: operations, noise: FlashNoise(seed: UInt64(operations)))
            }
            bench.send(PhoneFile(label: "new", content: new, transfer: 2))
            for _ in 0..<6 where bench.flash.isPowered {
                if operations % 3 > 0 { bench.tap(0) }
                _ = bench.watch.wait(for: .milliseconds(230)) { _ in !bench.flash.isPowered }
            }
            _ = bench.watch.wait(for: .seconds(5)) { _ in !bench.flash.isPowered }
            let said = bench.fileStates[2]
            let confirmed = bench.checkOffs
            bench.flash.change { $0.power = .on }
            try bench.restart()
            bench.connect()
            let text = probe(bench)
            let isNew = text?.hasPrefix("3000 \(sum(new)) ") == true
            if said == .stored { #expect(isNew, "\(operations): \(text ?? "-")") }
            #expect(isNew || text?.hasPrefix("900 \(sum(old)) ") == true, "\(operations): \(text ?? "-")")
            bench.run(for: .seconds(10))
            #expect(bench.fileStates[2] == .stored, "\(operations)")
            #expect(probe(bench)?.hasPrefix("3000 \(sum(new)) ") == true, "\(operations)")
            #expect(bench.checkOffs.starts(with: confirmed), "\(operations)")
            let gone = Set(bench.checkOffs.map { "Item \($0)" })
            bench.send(.press(.crown))
            bench.run(for: .seconds(1))
            #expect(Set(bench.titles) == titles.subtracting(gone), "\(operations)")
        }
    }

    @Test(arguments: [
        FlashGeometry(pageSize: 64, sectorCount: 50, fileSectorCount: 34),
        FlashGeometry(pageSize: 128, sectorCount: 50, fileSectorCount: 35),
        FlashGeometry(pageSize: 192, sectorSize: 6_144, sectorCount: 50, fileSectorCount: 34),
        FlashGeometry(pageSize: 512, sectorCount: 50, fileSectorCount: 33),
        FlashGeometry(pageSize: 4_096, sectorCount: 50, fileSectorCount: 34),
        FlashGeometry(sectorCount: 16), FlashGeometry(sectorCount: 17, fileSectorCount: 1),
        FlashGeometry(sectorCount: 16, fileSectorCount: 16), FlashGeometry(sectorCount: 16, fileSectorCount: 17),
        FlashGeometry(sectorCount: 16, fileSectorCount: -2),
    ])
    func `a chip of any layout stores a file that the phone says is stored, and traps for none`(
        geometry: FlashGeometry
    ) throws {
        let bench = try WatchBench(
            phone: InMemoryPhone(items: 8), handler: FilingHandler(), flash: MemoryFlash(geometry))
        bench.radio.connect()
        bench.run(for: .seconds(5))
        var text = "none"
        for transfer in 1...4 as ClosedRange<UInt64> {
            let bytes = content(Int(transfer) * 15_000, seed: Int(transfer))
            bench.send(PhoneFile(label: "f", content: bytes, transfer: transfer))
            bench.run(for: .seconds(60))
            if bench.fileStates[transfer] == .stored { text = "\(bytes.count) \(sum(bytes)) \(transfer)" }
        }
        let isUsable = geometry.fileSectorCount > 1 && geometry.fileSectorCount <= geometry.sectorCount
        #expect((text != "none") == isUsable)
        #expect(bench.flash.contents.counts.violations == 0)
        // Without a journal, the watch takes no queued message, so it does not answer the probe.
        if geometry.sectorCount - geometry.fileSectorCount > 1, geometry.fileSectorCount >= 0 {
            #expect(probe(bench) == text)
        }
    }
}
