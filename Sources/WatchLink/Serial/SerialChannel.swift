/// Datagrams over a serial line: each is repeated until the other end has taken it, then the next one is sent.
///
/// It does no input or output. The owner of the line passes arriving packets to `receive`, calls `next` for the packet
/// to send after every call and when `deadline` passes, and keeps the datagram that is not taken yet.
package struct SerialChannel: BitwiseCopyable {
    package enum Role: Sendable, BitwiseCopyable {
        /// The end that opens channels.
        case bridge
        /// The end that waits for them.
        case watch
    }

    package enum State: Sendable, Equatable, BitwiseCopyable {
        /// There is no channel.
        case closed
        /// The bridge has announced a channel and the watch has not answered yet.
        case opening(maximumSDU: UInt16)
        /// The channel carries datagrams of up to `maximumSDU` bytes.
        case open(maximumSDU: UInt16)
    }

    package enum Event: Sendable, Equatable, BitwiseCopyable {
        /// None for the owner.
        case none
        /// A new channel is open.
        case opened
        /// The channel is closed.
        case closed
        /// A datagram: the bytes of the packet from `SerialPacket.headSize` on. Before it passes more to `receive`, the
        /// owner takes the datagram and calls `took`.
        case datagram
    }

    /// A packet that is repeated until it is answered.
    private struct Repeated: BitwiseCopyable {
        var due: Instant
        /// How often it has been sent.
        var repeats: UInt8
    }

    /// The time between two repetitions, which is long compared with a frame on any line.
    package static var repeatInterval: Microseconds { .milliseconds(100) }
    /// The number of repetitions without an answer after which the channel closes.
    package static var mostRepeats: UInt8 { 20 }

    private let role: Role
    package private(set) var state = State.closed
    private var token: UInt32 = 0
    private var outgoing: Repeated?
    private var opening: Repeated?
    private var answer: SerialPacket?
    /// The number of the datagram that is not taken yet, or of the next one.
    private var sendSequence: UInt8 = 0
    /// The number of the expected datagram.
    private var receiveSequence: UInt8 = 0

    package init(role: Role) {
        self.role = role
    }

    /// The size in bytes of the largest packet with a datagram of up to `sdu` bytes.
    package static func largestPacket(sdu: Int) -> Int { SerialPacket.headSize + sdu }

    /// The time to call `next` even if nothing arrives, nil for none.
    package var deadline: Instant? { outgoing?.due ?? opening?.due }

    /// Opens a channel in place of the one before. For the bridge.
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

    /// Begins to send the datagram that the caller keeps. Returns false while another one is not taken yet.
    package mutating func send(at now: Instant) -> Bool {
        guard case .open = state, outgoing == nil else { return false }
        outgoing = Repeated(due: now, repeats: 0)
        return true
    }

    /// Call when the owner has taken the datagram that arrived.
    package mutating func took() {
        answer = .taken(token: token, sequence: receiveSequence)
        receiveSequence &+= 1
    }

    /// The packet to send now, nil for none. After a `.data` the owner sends the bytes of its datagram.
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
    /// Takes an arriving packet: the payload of a frame.
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
        // While the channel is opening, the answer may come after the first datagram, which is repeated.
        guard case .open = state else { return .none }
        if sequence == receiveSequence { return .datagram }
        // It was taken already and the answer was lost.
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
