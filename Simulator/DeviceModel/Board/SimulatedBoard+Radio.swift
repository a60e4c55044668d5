import Watch

extension SimulatedBoard where Flash: ~Copyable {
    /// What the radio can do at the moment; `.down` without a radio.
    public var radioState: RadioState {
        guard let radio else { return .down }
        radio.service(at: clock.now)
        return radio.state
    }

    /// Sends one datagram; `.refused` without a radio.
    public func sendDatagram(_ bytes: Span<UInt8>) -> RadioOutcome {
        radio?.send(bytes) ?? .refused
    }

    /// Copies the next datagram into `buffer` and returns its full length, or nil when none waits.
    public func receiveDatagram(into buffer: inout MutableSpan<UInt8>) -> Int? {
        radioReading = .asked
        guard let count = radio?.receive(into: &buffer) else { return nil }
        control?.happened("a datagram")
        drawing.follow(.datagram)
        execute { $0.datagram }
        return count
    }

    /// Records what the wearer says to the digits of a pairing.
    public func answerPairing(_ answer: PairingAnswer) {
        output.answerPairing(answer)
    }

    /// Closes the channel.
    public func disconnectRadio() {
        radio?.disconnect()
    }
}
