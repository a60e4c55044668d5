import DeviceModel
import TestDoubles
import Testing
import WatchLink

@testable import Watch

/// Rules of PROTOCOL.md for a watch. The test plays the phone, and can send any frame.
struct PhoneRuleTests {
    /// A phone that sends a hello, and then only the frames that a test sends through it. It collects the watch's
    /// acknowledgements and goodbyes.
    private final class StrangePhone {
        let radio: InMemoryRadio
        private let watch: VirtualWatch<RuntimeProgram<SharedFlash, ShippingHandler>>
        private var sequence: UInt32 = 0
        private(set) var acknowledgements: [Acknowledgement] = []
        private(set) var goodbyes: [Goodbye] = []

        init() throws {
            let clock = VirtualClock()
            let ends = try InMemoryRadio.pair()
            radio = ends.phone
            let board = try SimulatedBoard(
                flash: SharedFlash(MemoryFlash(FlashGeometry(sectorCount: 16))), radio: ends.watch,
                clock: .virtual(clock), calendar: .set(BoardCalendar.example, at: .start), profile: .instant)
            watch = try VirtualWatch(running: RuntimeProgram(on: board, handler: ShippingHandler(), seed: 7))
            radio.connect()
            run()
            let hello = Hello(role: .phone, identity: 5, epoch: 9, limits: LinkLimits(largestSDU: 512))
            try send(.hello(hello))
        }

        var titles: [String] { watch.snapshot.description.rows.map(\.title) }

        /// Runs the watch for 50 ms, and then collects what the watch has sent.
        func run() {
            _ = watch.wait(for: .milliseconds(50)) { _ in false }
            while let datagram = radio.receive() {
                switch try? ControlFrame(datagram.span) {
                case .acknowledgement(let acknowledgement): acknowledgements.append(acknowledgement)
                case .goodbye(let goodbye): goodbyes.append(goodbye)
                case .hello, .ping, .pong, nil: break
                }
            }
        }

        func send(_ frame: ControlFrame) throws {
            radio.send(try bytes { (writer) throws(CBORError) in try frame.encode(into: &writer) })
            run()
        }

        func sendList(_ changes: [ListChange]) throws {
            sequence += 1
            let (number, message) = (sequence, ListMessage(more: 0, changeCount: UInt32(changes.count)))
            radio.send(
                try bytes { (writer) throws(CBORError) in
                    try MessageHeader(.queued, sequence: number).encode(into: &writer)
                    try writer.text(ListMessage.name)
                    try message.encodeHead(into: &writer)
                    for change in changes { try change.encode(into: &writer) }
                    try message.encodeTail(into: &writer)
                })
        }

        private func bytes(_ write: (inout CBORWriter) throws(CBORError) -> Void) throws -> [UInt8] {
            var buffer = [UInt8](repeating: 0, count: 512)
            var writer = CBORWriter(buffer.mutableSpan)
            try write(&writer)
            let count = writer.count
            return Array(buffer.prefix(count))
        }

        var rejections: [Rejection] {
            acknowledgements.flatMap { each in (0..<each.rejected.count).map { each.rejected[$0] } }
        }
    }

    private func put(_ id: Int) -> ListChange {
        .put(id: UInt32(id), rank: UInt32(id), title: ItemTitle("Item \(id)"))
    }

    private func fill(_ phone: StrangePhone, upTo count: Int) throws {
        try phone.sendList([.clear])
        for start in stride(from: 1, through: count, by: 20) {
            try phone.sendList((start...min(start + 19, count)).map(put))
            phone.run()
        }
    }

    @Test func `a full list rejects a message for which it has no room, and applies none of its changes`() throws {
        let phone = try StrangePhone()
        try fill(phone, upTo: 128)
        #expect(phone.titles.count == 128 && phone.rejections.isEmpty)
        try phone.sendList([.remove(id: 128), put(201), put(202), put(203)])
        phone.run()
        #expect(phone.rejections == [Rejection(sequence: 9, reason: .noRoom)])
        #expect(phone.titles == (1...128).map { "Item \($0)" }, "all or nothing")
        #expect(phone.acknowledgements.last?.queued == 9, "it is done all the same")
        try phone.sendList([.remove(id: 128), put(201)])
        phone.run()
        #expect(phone.titles == (1...127).map { "Item \($0)" } + ["Item 201"])
        #expect(phone.rejections.count == 1 && phone.goodbyes.isEmpty)
    }

    @Test func `a message is judged by the rows that the list has at each of its changes`() throws {
        let phone = try StrangePhone()
        try fill(phone, upTo: 128)
        // All these messages fit: they replace rows, remove rows first, put the same row again, or clear the list.
        try phone.sendList((1...15).map(put))
        try phone.sendList((1...15).map { .remove(id: UInt32($0)) } + (201...215).map(put))
        try phone.sendList(Array(repeating: put(201), count: 20))
        try phone.sendList([.remove(id: 201), .remove(id: 201), put(201), .remove(id: 201), put(201)])
        try phone.sendList([.clear] + (1...15).map(put))
        phone.run()
        #expect(phone.rejections.isEmpty)
        #expect(phone.titles == (1...15).map { "Item \($0)" })
    }

    @Test func `a latest value under an unknown name is done, a queued message under one is rejected`() throws {
        let phone = try StrangePhone()
        phone.radio.send([0x10, 0, 0, 0, 0, 1, 0x61, 0x61, 0x00])
        phone.run()
        #expect(phone.acknowledgements.last?.latest == 1 && phone.acknowledgements.last?.rejectedLatest == nil)
        phone.radio.send([0x10, 0, 0, 0, 0, 2] + [0x64] + Array("list".utf8) + [0xA1, 0x01, 0x80])
        phone.run()
        #expect(phone.acknowledgements.last?.rejectedLatest == nil, "a name counts together with its delivery")
        phone.radio.send([0x11, 0, 0, 0, 0, 1, 0x61, 0x61, 0x00])
        phone.run()
        #expect(phone.rejections == [Rejection(sequence: 1, reason: .unknownName)])
        #expect(phone.acknowledgements.last?.latest == 2)
    }
}
