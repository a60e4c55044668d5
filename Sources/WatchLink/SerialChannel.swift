/// One end of a channel that carries datagrams over a serial line. It decides what to send, and does no input or output.
///
/// It repeats a datagram until the other end confirms it, and only then accepts the next one. PROTOCOL.md has the rules ("Over
/// a serial line").
///
/// The owner of the line passes arriving packets to `receive`. After every call, and when `deadline` passes, the owner calls
/// `next` and sends the packet, until `next` returns nil. A channel stores no bytes. The owner keeps the bytes of an outgoing
/// datagram until `send` returns true for the next datagram.
package struct SerialChannel: BitwiseCopyable {
    package enum Role: Sendable, BitwiseCopyable {
        /// The end that opens channels.
        case bridge
        /// The end that waits for the bridge to open a channel.
        case watch
    }

    package enum State: Sendable, Equatable, BitwiseCopyable {
        case closed
        /// The bridge has announced a channel and the watch has not answered yet.
        case opening(maximumSDU: UInt16)
        case open(maximumSDU: UInt16)
    }

    package enum Event: Sendable, Equatable, BitwiseCopyable {
        case none
        case opened
        case closed
        /// A datagram has arrived. It begins at byte `SerialPacket.headSize` of the packet. The owner calls `took` before it
        /// passes another packet to `receive`.
        case datagram
    }

    private struct Repeated: BitwiseCopyable {
        var due: Instant
        var repeats: UInt8
    }

    /// The time between two transmissions of the same packet. It is longer than the line needs for one packet.
    package static var repeatInterval: Microseconds { .milliseconds(100) }
    /// The maximum number of times that an end sends the same datagram. If the other end still does not answer, the channel
    /// closes. The bridge repeats `open` without a limit.
    package static var mostRepeats: UInt8 { 20 }

    private let role: Role
    package private(set) var state = State.closed
    private var token: UInt32 = 0
    private var outgoing: Repeated?
    private var opening: Repeated?
    private var answer: SerialPacket?
    /// The sequence of the datagram that waits for its `taken` packet. If none waits, the sequence of the next datagram.
    private var sendSequence: UInt8 = 0
    private var receiveSequence: UInt8 = 0

    package init(role: Role) {
        self.role = role
    }

    package static func largestPacket(sdu: Int) -> Int { SerialPacket.headSize + sdu }

    /// When to call `next` even if nothing arrives; nil if never.
    package var deadline: Instant? { outgoing?.due ?? opening?.due }

    /// Begins to open a channel in place of the previous one. Only the bridge calls this. `token` must differ from the previous
    /// channel's token.
    package mutating func open(token: UInt32, maximumSDU: UInt16, at now: Instant) {
        begin(token)
        state = .opening(maximumSDU: maximumSDU)
        opening = Repeated(due: now, repeats: 0)
    }

    package mutating func close() {
        guard state != .closed else { return }
        end()
        answer = .closed(token: token)
    }

    /// Begins to send a datagram, whose bytes stay with the owner. Returns false if no channel is open or the other end has not
    /// taken the previous datagram.
    package mutating func send(at now: Instant) -> Bool {
        guard case .open = state, outgoing == nil else { return false }
        outgoing = Repeated(due: now, repeats: 0)
        return true
    }

    package mutating func took() {
        answer = .taken(token: token, sequence: receiveSequence)
        receiveSequence &+= 1
    }

    /// Returns the packet to send now; nil if there is none. After a `.data` packet, the owner sends the datagram's bytes in
    /// the same frame.
    package mutating func next(at now: Instant) -> SerialPacket? {
        if let answer = takeAnswer() { return answer }
        if let last = opening, last.due <= now {
            opening = again(last, at: now)
            if case .opening(let maximumSDU) = state { return .open(token: token, maximumSDU: maximumSDU) }
        }
        if let last = outgoing, last.due <= now {
            guard last.repeats < SerialChannel.mostRepeats else {
                close()
                return takeAnswer()
            }
            outgoing = again(last, at: now)
            return .data(token: token, sequence: sendSequence)
        }
        return nil
    }

    private mutating func takeAnswer() -> SerialPacket? {
        defer { answer = nil }
        return answer
    }

    private func again(_ last: Repeated, at now: Instant) -> Repeated {
        Repeated(
            due: now + SerialChannel.repeatInterval, repeats: last.repeats == .max ? last.repeats : last.repeats + 1)
    }

    private mutating func begin(_ token: UInt32) {
        end()
        self.token = token
        sendSequence = 0
        receiveSequence = 0
    }

    private mutating func end() {
        state = .closed
        outgoing = nil
        opening = nil
        answer = nil
    }
}

// MARK: Receiving

extension SerialChannel {
    /// - Parameter bytes: the payload of a `SerialFrame`.
    package mutating func receive(_ bytes: Span<UInt8>) -> Event {
        guard let packet = SerialPacket(bytes) else { return .none }
        switch packet {
        case .open(let token, let maximumSDU): return receiveOpen(token, maximumSDU)
        case .opened(let token): return receiveOpened(token)
        case .closed(let token): return receiveClosed(token)
        case .data(let token, let sequence): return receiveData(token, sequence)
        case .taken(let token, let sequence): return receiveTaken(token, sequence)
        }
    }

    private mutating func receiveOpen(_ token: UInt32, _ maximumSDU: UInt16) -> Event {
        guard case .watch = role else { return .none }
        // The bridge repeats the packet when the answer was lost.
        let isKnown = state != .closed && token == self.token
        if !isKnown {
            begin(token)
            state = .open(maximumSDU: maximumSDU)
        }
        answer = .opened(token: token)
        return isKnown ? .none : .opened
    }

    private mutating func receiveOpened(_ token: UInt32) -> Event {
        guard case .opening(let maximumSDU) = state, token == self.token else { return .none }
        opening = nil
        state = .open(maximumSDU: maximumSDU)
        return .opened
    }

    private mutating func receiveClosed(_ token: UInt32) -> Event {
        guard state != .closed, token == self.token else { return .none }
        end()
        return .closed
    }

    private mutating func receiveData(_ token: UInt32, _ sequence: UInt8) -> Event {
        guard state != .closed, token == self.token else {
            answer = .closed(token: token)
            return .none
        }
        // On the bridge, the watch's first datagram may arrive before its `opened`. The watch repeats the datagram.
        guard case .open = state else { return .none }
        if sequence == receiveSequence { return .datagram }
        // This end has taken the datagram already, and its answer was lost.
        if sequence == receiveSequence &- 1 { answer = .taken(token: token, sequence: sequence) }
        return .none
    }

    private mutating func receiveTaken(_ token: UInt32, _ sequence: UInt8) -> Event {
        guard token == self.token, sequence == sendSequence, outgoing != nil else { return .none }
        outgoing = nil
        sendSequence &+= 1
        return .none
    }
}

/// A packet of a `SerialChannel`. It is the payload of a `SerialFrame`: kind (1 byte), token (4 bytes, big endian), then the
/// fields of this kind.
package enum SerialPacket: Equatable, Sendable, BitwiseCopyable {
    /// Kind 1: the bridge opens a channel. It repeats the packet until the watch answers.
    case open(token: UInt32, maximumSDU: UInt16)
    /// Kind 2: the watch has opened the channel.
    case opened(token: UInt32)
    /// Kind 3: the channel is closed, or the sender of this packet does not know the token.
    case closed(token: UInt32)
    /// Kind 4: a datagram. Its bytes follow.
    case data(token: UInt32, sequence: UInt8)
    /// Kind 5: the sender of this packet has taken the datagram with this sequence.
    case taken(token: UInt32, sequence: UInt8)

    /// The offset of a datagram in its packet, in bytes.
    package static var headSize: Int { 6 }
    /// The size in bytes of the largest packet that carries no datagram.
    package static var largestHead: Int { 7 }

    package init?(_ bytes: Span<UInt8>) {
        guard bytes.count >= 5 else { return nil }
        let token = UInt32(bigEndianAt: 1, in: bytes)
        switch (bytes[0], bytes.count) {
        case (1, 7): self = .open(token: token, maximumSDU: UInt16(bytes[5]) &<< 8 | UInt16(bytes[6]))
        case (2, 5): self = .opened(token: token)
        case (3, 5): self = .closed(token: token)
        case (4, 6...): self = .data(token: token, sequence: bytes[5])
        case (5, 6): self = .taken(token: token, sequence: bytes[5])
        case (_, _): return nil
        }
    }

    /// Writes the packet without its datagram to `buffer`, which has room for `largestHead` bytes. Returns the number of
    /// bytes.
    package func write(into buffer: inout MutableSpan<UInt8>) -> Int {
        switch self {
        case .open(let token, let maximumSDU):
            buffer[5] = UInt8(truncatingIfNeeded: maximumSDU &>> 8)
            buffer[6] = UInt8(truncatingIfNeeded: maximumSDU)
            return SerialPacket.write(1, token, size: 7, into: &buffer)
        case .opened(let token): return SerialPacket.write(2, token, size: 5, into: &buffer)
        case .closed(let token): return SerialPacket.write(3, token, size: 5, into: &buffer)
        case .data(let token, let sequence):
            buffer[5] = sequence
            return SerialPacket.write(4, token, size: 6, into: &buffer)
        case .taken(let token, let sequence):
            buffer[5] = sequence
            return SerialPacket.write(5, token, size: 6, into: &buffer)
        }
    }

    private static func write(
        _ kind: UInt8, _ token: UInt32, size: Int, into buffer: inout MutableSpan<UInt8>
    ) -> Int {
        buffer[0] = kind
        for index in 0..<4 { buffer[1 + index] = token.bigEndianByte(index) }
        return size
    }
}
