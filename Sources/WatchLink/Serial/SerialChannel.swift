/// Datagrams over a serial line: each is repeated until the other end has taken it, and only then the next one is sent.
///
/// It decides and does no input or output. The owner of the line passes the packets that arrive to `receive`, asks
/// `next` for the packet to send after every call and whenever `deadline` passes, and keeps the datagram that is not
/// taken yet.
public struct SerialChannel: BitwiseCopyable {
    /// The end of the line.
    public enum Role: Sendable, BitwiseCopyable {
        /// The end that opens channels.
        case bridge
        /// The end that waits for them.
        case watch
    }

    /// The state of the channel.
    public enum State: Sendable, Equatable, BitwiseCopyable {
        /// There is no channel.
        case closed
        /// The bridge has announced it and the watch has not answered yet.
        case opening(maximumSDU: UInt16)
        /// Datagrams of up to `maximumSDU` bytes are carried.
        case open(maximumSDU: UInt16)
    }

    /// What a packet meant.
    public enum Event: Sendable, Equatable, BitwiseCopyable {
        /// Nothing that concerns the owner.
        case none
        /// A new channel is open.
        case opened
        /// The channel is gone.
        case closed
        /// A datagram: the bytes of the packet from `SerialPacket.headSize`. The owner passes nothing more to `receive`
        /// until it has taken it and called `took`.
        case datagram
    }

    private enum Outgoing: BitwiseCopyable {
        case none
        /// A datagram is to be sent, now or at `due`, for the time that `repeats` says.
        case waiting(due: Instant, repeats: UInt8)
    }

    private enum Answer: BitwiseCopyable {
        case none
        case packet(SerialPacket)
    }

    /// Time between two repetitions: many times what a frame takes on any line.
    public static var repeatInterval: Microseconds { .milliseconds(100) }
    /// Repetitions without an answer after which the channel is gone.
    public static var mostRepeats: UInt8 { 20 }

    private let role: Role
    /// The state of the channel.
    public private(set) var state = State.closed
    private var token: UInt32 = 0
    private var outgoing = Outgoing.none
    private var opening = Outgoing.none
    private var answer = Answer.none
    /// The number of the datagram that is not taken yet, or of the next one.
    private var sendSequence: UInt8 = 0
    /// The number of the datagram that is expected next.
    private var receiveSequence: UInt8 = 0

    /// One end, without a channel.
    public init(role: Role) {
        self.role = role
    }

    /// Bytes of the largest packet with a datagram of up to `sdu` bytes.
    public static func largestPacket(sdu: Int) -> Int { SerialPacket.headSize + sdu }

    /// When to call `next` even if nothing comes, or nil.
    public var deadline: Instant? {
        switch (outgoing, opening) {
        case (.waiting(let due, _), _), (.none, .waiting(let due, _)): due
        case (.none, .none): nil
        }
    }

    /// Opens a channel; one that was open is gone. For the bridge.
    public mutating func open(token: UInt32, maximumSDU: UInt16, at now: Instant) {
        begin(token)
        state = .opening(maximumSDU: maximumSDU)
        opening = .waiting(due: now, repeats: 0)
    }

    /// Closes the channel, if there is one.
    public mutating func close() {
        guard state != .closed else { return }
        end()
        answer = .packet(.closed(token: token))
    }

    /// Begins to send the datagram that the caller keeps. Returns false while another one is not taken yet.
    public mutating func send(at now: Instant) -> Bool {
        guard case .open = state, case .none = outgoing else { return false }
        outgoing = .waiting(due: now, repeats: 0)
        return true
    }

    /// Reports that the owner has taken the datagram that arrived.
    public mutating func took() {
        answer = .packet(.taken(token: token, sequence: receiveSequence))
        receiveSequence &+= 1
    }

    /// The packet to send now, or nil. After a `.data` the owner sends the bytes of its datagram.
    public mutating func next(at now: Instant) -> SerialPacket? {
        if let answer = takeAnswer() { return answer }
        if case .waiting(let due, let repeats) = opening, due <= now {
            opening = again(repeats, at: now)
            if case .opening(let maximumSDU) = state { return .open(token: token, maximumSDU: maximumSDU) }
        }
        if case .waiting(let due, let repeats) = outgoing, due <= now {
            guard repeats < SerialChannel.mostRepeats else {
                close()
                return takeAnswer()
            }
            outgoing = again(repeats, at: now)
            return .data(token: token, sequence: sendSequence)
        }
        return nil
    }

    private mutating func takeAnswer() -> SerialPacket? {
        guard case .packet(let packet) = answer else { return nil }
        answer = .none
        return packet
    }

    private func again(_ repeats: UInt8, at now: Instant) -> Outgoing {
        .waiting(due: now + SerialChannel.repeatInterval, repeats: repeats == .max ? repeats : repeats + 1)
    }

    private mutating func begin(_ token: UInt32) {
        end()
        self.token = token
        sendSequence = 0
        receiveSequence = 0
    }

    private mutating func end() {
        state = .closed
        outgoing = .none
        opening = .none
        answer = .none
    }
}

// MARK: Receiving

extension SerialChannel {
    /// Takes a packet from the line: the payload of a frame.
    public mutating func receive(_ bytes: Span<UInt8>) -> Event {
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
        // The bridge repeats itself when the answer was lost.
        let isKnown = state != .closed && token == self.token
        if !isKnown {
            begin(token)
            state = .open(maximumSDU: maximumSDU)
        }
        answer = .packet(.opened(token: token))
        return isKnown ? .none : .opened
    }

    private mutating func receiveOpened(_ token: UInt32) -> Event {
        guard case .opening(let maximumSDU) = state, token == self.token else { return .none }
        opening = .none
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
            answer = .packet(.closed(token: token))
            return .none
        }
        // While the channel is being opened the answer may come after the first datagram, which is repeated.
        guard case .open = state else { return .none }
        if sequence == receiveSequence { return .datagram }
        // It was taken already and the answer was lost.
        if sequence == receiveSequence &- 1 { answer = .packet(.taken(token: token, sequence: sequence)) }
        return .none
    }

    private mutating func receiveTaken(_ token: UInt32, _ sequence: UInt8) -> Event {
        guard token == self.token, sequence == sendSequence, case .waiting = outgoing else { return .none }
        outgoing = .none
        sendSequence &+= 1
        return .none
    }
}
