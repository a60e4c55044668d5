extension Session {
    /// Begins an exchange: its number, for the frame that the shell sends next.
    ///
    /// - Returns: nil where messages do not flow, or the peer takes no interactive ones.
    public mutating func ask() -> UInt32? {
        guard case .open(let peer) = phase, peer.limits.kinds.include(.interactive) else { return nil }
        return progress.exchanges.ask()
    }

    /// Whether the shell may send frames of exchanges: messages flow, and the peer has our hello.
    public var mayExchange: Bool {
        switch progress.greeting {
        case .sent: phase.isOpen
        case .owed: false
        }
    }

    /// Takes an interactive frame, or a reply.
    @inline(never)
    mutating func receiveExchange(_ sdu: Span<UInt8>, at now: Instant) -> SessionEvent {
        guard limits.kinds.include(.interactive) else { return fault(.unsupported, at: now) }
        guard phase.isOpen else { return fault(.unexpectedFrame, at: now) }
        do throws(CBORError) {
            return FrameKind(rawValue: sdu[0]) == .interactive
                ? receive(try InteractiveHeader(sdu), length: sdu.count, at: now)
                : receive(try ReplyHeader(sdu), at: now)
        } catch {
            return fault(error == .unexpectedKind ? .unsupported : .malformedFrame, at: now)
        }
    }

    private mutating func receive(_ header: InteractiveHeader, length: Int, at now: Instant) -> SessionEvent {
        guard length &- InteractiveHeader.size <= Int(truncatingIfNeeded: min(limits.largestMessage, 0x7FFF_FFFF))
        else {
            return fault(.tooLong, at: now)
        }
        guard progress.exchanges.hear(header.number) else { return fault(.sequenceGap, at: now) }
        return .interactive(header)
    }

    private mutating func receive(_ header: ReplyHeader, at now: Instant) -> SessionEvent {
        switch progress.exchanges.reply(header.number) {
        case .first: .reply(header)
        case .old: .none
        case .unasked: fault(.unaskedReply, at: now)
        }
    }
}
