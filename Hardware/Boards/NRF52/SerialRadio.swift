import BoardSupport
import Watch
import WatchLink

/// The channel to the phone, over `SerialPort` and not over Bluetooth. The nRF52832's radio would need a Bluetooth controller,
/// which this firmware does not have. Each end repeats a datagram until the other end confirms it (`SerialChannel`).
struct SerialRadio {
    private var channel = SerialChannel(role: .watch)
    private var decoder = SerialDecoder()
    /// The length in bytes of the datagram that waits for the runtime; nil if none waits. Later bytes stay in the serial
    /// port's ring.
    private var waiting: Int?
    private var connections: UInt32 = 0
    private let incoming: FixedArray<UInt8>
    private let outgoing: FixedArray<UInt8>
    private var outgoingCount = 0
    /// The buffer for an outgoing frame: the longest packet, its checksum, the bytes that stuffing adds, and the closing zero.
    /// Stuffing adds one byte at the start and one byte for each 254 bytes.
    private let frame: FixedArray<UInt8>

    init(arena: inout MemoryArena) {
        let packet = SerialChannel.largestPacket(sdu: WatchLimits.largestSDU) + SerialFrame.checkSize
        incoming = arena.take(packet, of: 0)
        outgoing = arena.take(WatchLimits.largestSDU, of: 0)
        frame = arena.take(packet + packet / 254 + 2, of: 0)
    }

    var state: RadioState {
        switch channel.state {
        case .closed, .opening: .down
        case .open(let maximumSDU):
            .up(connection: connections, maximumSDU: min(Int(maximumSDU), WatchLimits.largestSDU))
        }
    }

    /// Whether a datagram waits for the runtime. Until the runtime takes it, later bytes stay in the serial port's ring.
    var isHolding: Bool { waiting != nil }

    var deadline: Instant? { channel.deadline }

    @inline(never)
    mutating func service(at now: Instant) {
        listen(at: now)
        transmit(at: now)
    }

    @inline(never)
    mutating func send(_ bytes: Span<UInt8>, at now: Instant) -> RadioOutcome {
        guard case .open = channel.state, bytes.count <= outgoing.count else { return .refused }
        guard channel.send(at: now) else { return .busy }
        for index in bytes.indices { outgoing[index] = bytes[index] }
        outgoingCount = bytes.count
        transmit(at: now)
        return .sent
    }

    @inline(never)
    mutating func receive(into buffer: inout MutableSpan<UInt8>, at now: Instant) -> Int? {
        guard let count = waiting else { return nil }
        for index in 0..<min(count, buffer.count) { buffer[index] = incoming[SerialPacket.headSize + index] }
        waiting = nil
        channel.took()
        service(at: now)
        return count
    }

    @inline(never)
    mutating func close(at now: Instant) {
        channel.close()
        waiting = nil
        transmit(at: now)
    }

    @inline(never)
    private mutating func listen(at now: Instant) {
        var buffer = incoming
        while waiting == nil, let byte = SerialPort.take() {
            var span = buffer.mutableSpan
            guard let count = decoder.take(byte, into: &span) else { continue }
            switch channel.receive(incoming.slice(0..<count).span) {
            case .none, .closed: break
            case .opened: connections &+= 1
            case .datagram: waiting = count - SerialPacket.headSize
            }
            // Each packet may need an answer, and the channel stores only one.
            transmit(at: now)
        }
    }

    @inline(never)
    private mutating func transmit(at now: Instant) {
        while let packet = channel.next(at: now) {
            switch packet {
            case .data: transmit(packet, outgoing.slice(0..<outgoingCount))
            case .open, .opened, .closed, .taken: transmit(packet, outgoing.slice(0..<0))
            }
        }
    }

    @inline(never)
    private func transmit(_ packet: SerialPacket, _ datagram: FixedArray<UInt8>) {
        var head = InlineArray<7, UInt8>(repeating: 0)
        var span = head.mutableSpan
        let count = packet.write(into: &span)
        var encoder = SerialEncoder(head.span.extracting(0..<count), datagram.span)
        SerialPort.finish()
        var size = 0
        while let byte = encoder.next() {
            frame[size] = byte
            size += 1
        }
        SerialPort.send(frame.address(of: 0), count: size)
    }
}
