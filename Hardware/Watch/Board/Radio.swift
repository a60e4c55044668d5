/// What the radio can do at the moment.
public enum RadioState: Sendable, Equatable, BitwiseCopyable {
    /// No phone is connected; the driver goes on advertising or connecting by itself.
    case down
    /// A channel is open.
    ///
    /// - connection: counts up with every new channel, so that a quick reconnection is noticed.
    /// - maximumSDU: the most bytes of one datagram, at least 128, which the longest control frame takes.
    case up(connection: UInt32, maximumSDU: Int)
}

/// What became of a datagram.
public enum RadioOutcome: Sendable, Equatable, BitwiseCopyable {
    /// The radio has it.
    case sent
    /// No room at the moment: offer it again after the next event.
    case busy
    /// The channel is closed, or the datagram is longer than it takes.
    case refused
}

/// The radio: a channel of datagrams to the phone, ordered and whole while it is up.
public protocol Radio: ~Copyable {
    /// What the radio can do at the moment.
    var radioState: RadioState { mutating get }

    /// Hands over one datagram.
    mutating func sendDatagram(_ bytes: Span<UInt8>) -> RadioOutcome

    /// Copies the next datagram that has arrived into `buffer` and returns its length, or nil when none waits. Of one longer
    /// than the buffer the rest is dropped and the full length returned, so that the reader can tell.
    mutating func receiveDatagram(into buffer: inout MutableSpan<UInt8>) -> Int?

    /// Answers the question of the last `Input.pairing`.
    mutating func answerPairing(_ answer: PairingAnswer)

    /// Closes the channel; the driver then advertises or connects again by itself.
    mutating func disconnectRadio()
}
