import Emulator
import FirmwareWatch
import ListFeed
import TestDoubles
import TestSupport
import Watch
import WatchLink

/// A phone at the end of the firmware's radio line that can be made to send anything: the bridge's side of the serial
/// channel, and enough of the link to give a watch its list and to hear check-offs.
final class SerialPhone {
    /// The serial channel, as far as it is agreed on.
    enum Channel {
        case closed
        case opening
        case open
    }

    /// The silence after which a phone is settled.
    private static var patience: Microseconds { .milliseconds(200) }

    private(set) var channel = Channel.closed
    private(set) var checkOffs = 0
    private(set) var others = 0
    /// Why the watch has closed channels.
    private(set) var goodbyes: [Goodbye] = []
    private(set) var queued: UInt32 = 0
    private(set) var acknowledged: UInt32 = 0

    private let machine: LineBench
    private var heard = 0
    private var frames = FrameReader(largestPayload: 1_024)
    private var token: UInt32 = 0
    /// Datagrams of either direction on this channel, modulo 256.
    private var number: UInt8 = 0
    private var expected: UInt8 = 0
    private var waiting: [[UInt8]] = []
    private var underWay: [UInt8]?
    private var epoch: UInt32 = 0x1234
    private var watchEpoch: UInt32 = 0
    private var applied: UInt32 = 0

    init(_ machine: LineBench) {
        self.machine = machine
    }

    var isOpen: Bool {
        switch channel {
        case .open: true
        case .closed, .opening: false
        }
    }

    /// Whether the watch has applied everything that was queued.
    var isSettled: Bool { acknowledged == queued }

    /// The head of the packet that carries the next datagram.
    var dataHead: [UInt8] { SerialPhone.bytes(.data(token: token, sequence: number)) }

    // MARK: Saying

    /// Opens a channel, on which the watch says hello.
    func connect() throws {
        token += 1
        (number, expected) = (0, 0)
        (channel, waiting, underWay) = (.opening, [], nil)
        send(.open(token: token, maximumSDU: 512))
        try settle()
    }

    func send(_ datagram: [UInt8]) { waiting.append(datagram) }

    /// Queues changes of the list. The sequence stays theirs where the channel is closed.
    func queue(_ changes: [ListChange], more: Int = 0) throws {
        queued += 1
        send(try Datagrams.list(changes, more: more, sequence: queued))
    }

    /// Goes on until both ends have been silent for a time.
    func settle() throws {
        var quiet = Microseconds.zero
        while quiet < SerialPhone.patience {
            if underWay == nil, isOpen, !waiting.isEmpty {
                let next = waiting.removeFirst()
                underWay = next
                machine.send(SerialFrame.bytes(dataHead, next), on: .radio)
            }
            try machine.wait(.milliseconds(10))
            let isBusy = try hear() || underWay == nil && isOpen && !waiting.isEmpty
            quiet = isBusy ? .zero : quiet + .milliseconds(10)
        }
    }

    /// Gives the watch a list and a name, in batches that fit a datagram; the first 128 of more items.
    func giveList(_ count: Int, name: String? = nil) throws {
        let most = WatchLimits.items
        var changes = [.clear] + Datagrams.puts(min(count, most))
        if let name {
            send(try Datagrams.message(TitleMessage(listName: ItemTitle(name), lastTrip: 0), sequence: 1))
        }
        while !changes.isEmpty {
            var batch: [ListChange] = []
            var size = 0
            while let next = changes.first, size + next.encodedSize < 440 {
                size += next.encodedSize
                batch.append(changes.removeFirst())
            }
            try queue(batch, more: max(0, count - most))
            try settle()
        }
    }

    private static func bytes(_ packet: SerialPacket) -> [UInt8] {
        var head = [UInt8](repeating: 0, count: SerialPacket.largestHead)
        var span = head.mutableSpan
        let count = packet.write(into: &span)
        return Array(head.prefix(count))
    }

    private func send(_ packet: SerialPacket) {
        machine.send(SerialFrame.bytes(SerialPhone.bytes(packet)), on: .radio)
    }

    // MARK: Hearing

    /// Hears what the watch has sent; whether there was anything.
    @discardableResult
    func hear() throws -> Bool {
        let new = machine.said.radio[heard...]
        heard = machine.said.radio.count
        for byte in new {
            guard let payload = frames.take(byte) else { continue }
            guard let packet = SerialPacket(payload.span) else {
                throw HarnessFailure("the watch sent no packet: \(payload)")
            }
            try take(packet, payload)
        }
        try require(frames.dropped == 0, "a frame of the watch is damaged")
        return !new.isEmpty
    }

    private func take(_ packet: SerialPacket, _ payload: [UInt8]) throws {
        switch packet {
        case .opened(token): channel = .open
        case .closed(token): (channel, waiting, underWay) = (.closed, [], nil)
        case .taken(token, number) where underWay != nil: (number, underWay) = (number &+ 1, nil)
        case .data(token, let sequence):
            send(.taken(token: token, sequence: sequence))
            guard sequence == expected else { break }
            expected &+= 1
            try take(datagram: Array(payload.dropFirst(SerialPacket.headSize)))
        // Of a channel before this one, or an answer that is repeated.
        case .open, .opened, .closed, .taken, .data: break
        }
    }

    private func take(datagram: [UInt8]) throws {
        guard let kind = datagram.first.map(FrameKind.init(rawValue:)) else { return }
        guard kind.isControl else { return try take(message: datagram) }
        switch try ControlFrame(datagram.span) {
        case .hello(let hello): try answer(hello)
        case .goodbye(let goodbye): goodbyes.append(goodbye)
        case .ping(let number): send(try Datagrams.control(.pong(number)))
        case .pong: break
        case .acknowledgement(let acknowledgement): acknowledged = acknowledgement.queued
        }
    }

    private func take(message datagram: [UInt8]) throws {
        let header = try MessageHeader(datagram.span)
        guard case .queued = header.delivery else { return }
        if header.sequence == applied + 1 {
            applied = header.sequence
            let body = try MessageBody(datagram.span, header: header)
            if body.name.matches(CheckMessage.name) { checkOffs += 1 } else { others += 1 }
        }
        send(try Datagrams.control(.acknowledgement(Acknowledgement(queued: applied, latest: 0, heldFor: 1_000))))
    }

    /// Answers the watch's hello. A watch that forgot our epoch receives a new one, in which nothing was sent yet.
    private func answer(_ hello: Hello) throws {
        if !hello.knows(epoch: epoch) {
            epoch += 1
            queued = 0
        }
        if hello.epoch != watchEpoch { (watchEpoch, applied) = (hello.epoch, hello.queuedFloor) }
        acknowledged = hello.knows(epoch: epoch) ? hello.queuedApplied : 0
        var mine = Hello(
            role: .phone, identity: 0x5EED, epoch: epoch,
            limits: LinkLimits(largestSDU: 512, largestMessage: 506, window: 8))
        mine.knownEpoch = watchEpoch
        mine.queuedApplied = applied
        mine.queuedIssued = queued
        mine.localTime = LineBench.calendar.seconds
        mine.queuedFloor = acknowledged
        send(try Datagrams.control(.hello(mine)))
    }
}

/// Datagrams that a phone sends, as bytes.
enum Datagrams {
    static func control(_ frame: ControlFrame) throws -> [UInt8] {
        try [UInt8](capacity: 512) { writer throws(CBORError) in try frame.encode(into: &writer) }
    }

    /// A message of a name that is a type's.
    static func message(_ message: some LinkMessage, sequence: UInt32) throws -> [UInt8] {
        try [UInt8](capacity: 512) { writer throws(CBORError) in
            try message.encodeFrame(sequence: sequence, into: &writer)
        }
    }

    static func list(_ changes: [ListChange], more: Int = 0, sequence: UInt32) throws -> [UInt8] {
        try FeedBatch(changes: changes, more: UInt32(more)).message()
            .datagram(.queued, sequence: sequence)
    }

    /// The titles with which the lab measures.
    private static var titles: [String] {
        ["Apples", "Bananas", "Bread rolls", "Brown rice", "Butter", "Carrots", "Cheddar", "Chickpeas", "Cocoa"]
    }

    /// Changes that put items on a list, from the number `first` on. Identifiers are spread over 32 bits, as a phone's
    /// are.
    static func puts(_ count: Int, first: Int = 1) -> [ListChange] {
        (first..<first + count).map { number in
            .put(
                id: UInt32(truncatingIfNeeded: number) &* 0x9E37_79B1, rank: UInt32(number),
                title: ItemTitle(titles[(number - 1) % titles.count]))
        }
    }
}
