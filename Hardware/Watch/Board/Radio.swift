/// Whether the radio has a channel to the phone.
public enum RadioState: Sendable, Equatable, BitwiseCopyable {
    /// No phone is connected. The driver keeps advertising or connecting.
    case down
    /// A channel is open.
    ///
    /// - connection: counts up with every new channel, so that the runtime notices a quick reconnection.
    /// - maximumSDU: the largest datagram in bytes, at least 128, the longest control frame.
    case up(connection: UInt32, maximumSDU: Int)
}

/// The outcome of sending a datagram.
public enum RadioOutcome: Sendable, Equatable, BitwiseCopyable {
    /// The radio has the datagram.
    case sent
    /// The radio has no room now. The runtime sends the datagram again after the next event.
    case busy
    /// The channel is closed, or the datagram is longer than its maximum. The runtime then closes the channel.
    case refused
}

/// The radio: a channel of datagrams to the phone, which arrive whole and in order while it is up.
public protocol Radio: ~Copyable {
    var radioState: RadioState { mutating get }

    mutating func sendDatagram(_ bytes: Span<UInt8>) -> RadioOutcome

    /// Copies the next arrived datagram into `buffer` and returns its length, nil for none. For a datagram longer than
    /// the buffer it drops the rest and returns the full length.
    mutating func receiveDatagram(into buffer: inout MutableSpan<UInt8>) -> Int?

    /// Answers the last `Input.pairing`, or opens the pairing mode.
    mutating func answerPairing(_ answer: PairingAnswer)

    /// Closes the channel. The driver then advertises or connects again.
    mutating func disconnectRadio()
}
