import WatchLink

@testable import DeviceModel
@testable import Watch

/// Starts a watch on a flash chip with any contents, uses the watch, and restarts it.
func fuzzFlash(_ input: FuzzInput) {
    var input = input
    let geometry = geometry(input.byte())
    var contents = [UInt8](repeating: 0xFF, count: geometry.capacity)
    // Runs of bytes at any addresses.
    while !input.isAtEnd {
        let address = Int(input.word() >> 8) % contents.count
        for (offset, byte) in input.bytes(limit: 2_048).enumerated() where address + offset < contents.count {
            contents[address + offset] = byte
        }
    }
    wear(MemoryFlash(geometry, contents: contents))
}

/// Starts a watch on a journal whose records have valid checksums but any contents. Firmware of a different version, or
/// firmware with a bug, could write such records. Some bytes of the flash chip are then changed.
func fuzzJournal(_ input: FuzzInput) {
    var input = input
    let geometry = geometry(input.byte())
    var flips = (0..<Int(input.byte() & 3)).map { _ in (Int(input.word() >> 8) % geometry.capacity, input.byte()) }
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 4_096, alignment: 16)
    defer { memory.deallocate() }
    var arena = MemoryArena(memory)
    var journal = Journal(arena: &arena)
    var flash = MemoryFlash(geometry)
    var nobody = Nobody()
    guard (try? journal.mount(flash: &flash, replay: &nobody)) != nil else { return }
    while !input.isAtEnd {
        let kind = RecordKind(rawValue: input.byte() % 32)
        let payload = input.bytes(limit: 511)
        guard kind.isForClients else {
            flips.append((Int(input.word() >> 8) % geometry.capacity, input.byte()))
            continue
        }
        do { _ = try journal.append(kind, payload.span, flash: &flash) } catch { break }
    }
    for (address, mask) in flips { flash.contents[address] ^= mask }
    wear(flash)
}

private struct Nobody: JournalClient {
    mutating func replay(_ kind: RecordKind, payload: Span<UInt8>) -> ReplayOutcome { .applied }

    mutating func nextSnapshotRecord(
        cursor: inout SnapshotCursor, into payload: inout MutableSpan<UInt8>
    ) -> SnapshotRecord? { nil }
}

private func geometry(_ byte: UInt8) -> FlashGeometry {
    byte & 1 == 0
        ? FlashGeometry(pageSize: 256, sectorSize: 4_096, sectorCount: 16)
        : FlashGeometry(pageSize: 128, sectorSize: 1_024, sectorCount: 8)
}

/// Starts a watch, taps before and after its phone connects, and restarts the watch. The watch must not trap or hang,
/// and must be able to list its rows.
private func wear(_ chip: MemoryFlash) {
    let phone = InMemoryPhone(
        list: "Groceries", items: (1...3).map { PhoneItem(id: $0, title: "Item \($0)") }, seed: 5)
    guard let bench = try? WatchBench(phone: phone, handler: ShippingHandler(), profile: .instant, flash: chip) else {
        return
    }
    bench.tap(0)
    bench.run(for: .seconds(1))
    bench.connect()
    bench.tap(0)
    bench.run(for: .seconds(1))
    guard (try? bench.restart()) != nil else { return }
    _ = bench.screen.rows.count
    bench.run(for: .seconds(1))
}
