import WatchLink

/// How a Bluetooth LE connection carries bytes: in connection events at an interval; the watch may sleep
/// through some of them while it has nothing to send (Bluetooth Core Specification 5.4, volume 6, part B, section
/// 4.5.1).
package struct RadioCost: Sendable, Equatable {
    /// The pace of a connection on which nothing has happened for a while.
    package struct Rest: Sendable, Equatable {
        /// For how long nothing has to happen before the watch asks for this pace.
        package var after: Microseconds
        /// The time from one connection event to the next.
        package var interval: Microseconds
        /// Events in a row that the watch may sleep through.
        package var latency: Int
    }

    /// The time from one connection event to the next while the watch is used: 7.5 ms to 4 s; zero stands for a link
    /// that takes no time.
    package var interval: Microseconds
    /// Events in a row that the watch may sleep through while it is used, 0 to 499.
    package var latency: Int
    /// The most bytes of one packet's payload, 27 to 251: one L2CAP frame at most (Core Specification, volume 6, part B,
    /// section 2.4: a packet begins one L2CAP PDU or goes on with one).
    package var packetBytes: Int
    /// Packets that one event carries each way at most, where their time in the air leaves room for them.
    package var packetsPerEvent: Int
    /// Megabits a second in the air: 1 or 2.
    package var megabits = 1
    /// L2CAP frames that an end may send before the other has allowed more of them.
    package var credits: Int
    /// How long no event may succeed until the connection is taken for lost.
    package var supervisionTimeout: Microseconds
    /// The slower pace at rest; nil for a connection that stays as it is.
    package var rest: Rest?

    /// The events of a connection at rest in `length`: those that the watch listens in.
    package func idleEvents(in length: Microseconds) -> Int {
        let (interval, latency) = rest.map { ($0.interval, $0.latency) } ?? (interval, latency)
        guard interval.count > 0 else { return 0 }
        return Int(length.count / (interval.count * UInt64(latency + 1)))
    }

    /// What is before the payload of an L2CAP frame: its length and its channel, two bytes each (Core Specification 5.4, volume 3,
    /// part A, section 3.4.1).
    package static let frameHeader = 4
    /// The length of an SDU, in its first frame (as above).
    package static let sduLength = 2
    /// What returns credits: a header, and a flow control credit indication of 8 bytes (as above, section 4.24).
    package static let creditBytes = frameHeader + 8
    /// Around the payload of an encrypted packet: access address 4, header 2, MIC 4 and CRC 3 bytes, and a preamble of a byte for
    /// each megabit a second (volume 6, part B, sections 2.1 and 2.4).
    package static let aroundPayload = 13
    /// The same around none, which has no MIC.
    private static let aroundNothing = 9
    /// From one packet to the next (T_IFS, volume 6, part B, section 4.1).
    static let interFrameSpace = Microseconds(150)

    /// The most bytes of a datagram in a frame, the first one and each that follows.
    package var frameRoom: Int { packetBytes - RadioCost.frameHeader }

    /// A packet's time in the air; of none, where there is nothing to send.
    package func airtime(of payload: Int) -> Microseconds {
        let around = payload == 0 ? RadioCost.aroundNothing : RadioCost.aroundPayload
        return Microseconds(UInt64((megabits + around + payload) * 8 / megabits))
    }

    /// What a packet and the other end's answer take, with the spaces behind both.
    package func airtime(of payload: Int, answeredBy answer: Int) -> Microseconds {
        airtime(of: payload) + airtime(of: answer) + RadioCost.interFrameSpace + RadioCost.interFrameSpace
    }

    /// Events from the one that carries the wish for another pace to the first one at that pace, at a latency: the six
    /// that the specification wants the phone to allow at least (5.4, volume 6, part B, section 5.1.1), and those that
    /// the watch may sleep through, as link layers in use count them (the BLE5 stack of Texas Instruments: latency + 1
    /// + 6).
    static func eventsToChange(latency: Int) -> Int { latency + 1 + 6 }
}
