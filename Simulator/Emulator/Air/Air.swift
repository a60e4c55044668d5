package enum AirError: Error, Equatable {
    case secondCentral
    case unexpectedCommand
    case unknownAttribute
    case valueTooLong
}

extension AirError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .secondCentral: "the air has a central already: disconnect it before you use another one"
        case .unexpectedCommand: "the central is not ready for this: connect first, and answer an open question"
        case .unknownAttribute: "the watch has no such characteristic: phone discover finds those that it has"
        case .valueTooLong: "the value does not fit into a packet: use fewer bytes"
        }
    }
}

package struct AirFaults: Equatable, Sendable {
    package var lossPerMillion: UInt64 = 0
    /// Whether the chip's radio and the other radios are in range of each other. If false, every packet is lost.
    package var isInRange = true
    /// By how much the central's clock is too slow, in parts per million. Negative if it is too fast.
    package var centralDrift: Int64 = 0
}

/// Pseudo-random numbers that depend on the seed alone (SplitMix64).
package struct SeededNumbers: Equatable, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var number = state
        number = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
        return number ^ number >> 31
    }

    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }
}

/// The simulated air: it carries packets between the emulated chip's radio and other radios. A new `Air` has no other radio.
package struct Air: Sendable {
    package var faults = AirFaults()
    /// The signal strength of every packet, in dBm, as the chip's radio and the central measure it.
    package var strength = -60
    package private(set) var central: Central?
    private var numbers: SeededNumbers
    /// The packets of other radios, including packets that have not begun yet. `send` removes packets that ended long ago.
    private var packets: [AirPacket] = []
    private var ownPacket: AirPacket?
    /// The packets that the chip's radio has sent. Nil if they are not recorded; an empty array starts a recording.
    package var recorded: [AirPacket]?

    package init(seed: UInt64 = 1) {
        numbers = SeededNumbers(seed: seed)
    }

    package mutating func add(_ central: Central) throws(AirError) {
        guard self.central == nil else { throw .secondCentral }
        self.central = central
    }

    /// Gives the central a command. Does nothing if there is no central. The command may change `due` to an earlier cycle.
    package mutating func command(_ command: CentralCommand, at cycle: UInt64) throws(AirError) {
        try central?.perform(command, at: cycle)
    }

    package mutating func takeCentralEvents() -> [CentralEvent] { central?.takeEvents() ?? [] }

    /// The cycle of the central's next action; `.max` if none is planned.
    var due: UInt64 { central?.due ?? .max }

    mutating func advance(to cycle: UInt64) {
        while let time = central?.due, time <= cycle {
            central?.advance(at: time, drift: faults.centralDrift)
            sendForCentral()
        }
    }

    private mutating func sendForCentral() {
        while let packet = central?.takePacket() { send(packet) }
    }

    package mutating func send(_ packet: AirPacket) {
        // Forgets packets that ended more than 10 ms before this one. No packet is that long.
        packets.removeAll { $0.end + 640_000 < packet.start }
        var packet = packet
        packet.isLost = loses() || ownPacket.map { collide($0, packet) } ?? false
        for index in packets.indices where collide(packets[index], packet) {
            packets[index].isLost = true
            packet.isLost = true
        }
        packets.append(packet)
    }

    private func collide(_ one: AirPacket, _ other: AirPacket) -> Bool {
        one.frequency == other.frequency && one.start < other.end && other.start < one.end
    }

    private mutating func loses() -> Bool {
        !faults.isInRange || faults.lossPerMillion > 0 && numbers.next() % 1_000_000 < faults.lossPerMillion
    }

    /// Returns the first wanted packet that the chip's receiver hears if it listens from `cycle` on. It hears only packets
    /// whose address begins at `cycle` or later. Nil if there is no such packet.
    func packet(since cycle: UInt64, where isWanted: (AirPacket) -> Bool) -> AirPacket? {
        var first: AirPacket?
        for packet in packets where !packet.isLost && packet.addressStart >= cycle && isWanted(packet) {
            if packet.addressEnd < first?.addressEnd ?? .max { first = packet }
        }
        return first
    }

    /// `Radio` calls this when the chip's radio has sent the address of `packet`.
    mutating func began(_ packet: AirPacket) {
        var packet = packet
        packet.isLost = loses() || packets.contains { collide($0, packet) }
        ownPacket = packet
        if !packet.isLost { central?.hears(packet) }
    }

    /// `Radio` calls this when the chip's radio stops sending `packet`. If `isWhole` is false, the radio stopped before the
    /// end of the packet, and the central finds a wrong CRC.
    mutating func ended(_ packet: AirPacket, isWhole: Bool) {
        guard let began = ownPacket else { return }
        ownPacket = nil
        recorded?.append(packet)
        guard !began.isLost else { return }
        central?.receives(packet, isWhole: isWhole, strength: strength)
        sendForCentral()
    }
}
