extension Session {
    /// Takes an arriving datagram.
    ///
    /// - Parameters:
    ///   - sdu: the whole datagram, any bytes; an empty one is ignored. For a datagram longer than its buffer the shell
    ///     calls `close(.protocolFault(.tooLong))` instead.
    ///   - now: the time.
    /// - Returns: the effect; `.none` while the session is not connected or is closing.
    @inline(never)
    public mutating func receive(_ sdu: Span<UInt8>, at now: Instant) -> SessionEvent {
        guard !sdu.isEmpty, phase.isListening else { return .none }
        progress.probe.heard(at: now)
        guard sdu.count <= Int(truncatingIfNeeded: min(limits.largestSDU, 0x7FFF_FFFF)) else {
            return fault(.tooLong, at: now)
        }
        let kind = FrameKind(rawValue: sdu[0])
        if kind == .latest || kind == .queued { return receiveMessage(sdu, at: now) }
        if kind == .interactive || kind == .reply { return receiveExchange(sdu, at: now) }
        if kind == .complication && limits.kinds.include(.complications) { return receiveMessage(sdu, at: now) }
        if kind == .file && limits.kinds.include(.files) {
            return phase.isOpen ? .file : fault(.unexpectedFrame, at: now)
        }
        guard kind.isControl else { return fault(.unsupported, at: now) }
        if kind == .hello, let closed = refuseVersion(sdu, at: now) { return closed }
        guard sdu.count <= LinkLimits.longestControlFrame else { return fault(.tooLong, at: now) }
        do {
            return receive(try ControlFrame(sdu), at: now)
        } catch {
            return fault(.malformedFrame, at: now)
        }
    }

    mutating func fault(_ fault: ProtocolFault, at now: Instant) -> SessionEvent {
        leave(.protocolFault(fault), at: now)
    }

    /// Refuses the hello of a peer of another version. Only the version means the same in every version, so this comes
    /// before the rest of the hello is read.
    @inline(never)
    private mutating func refuseVersion(_ sdu: Span<UInt8>, at now: Instant) -> SessionEvent? {
        var reader = CBORReader(controlFrame: sdu)
        guard let version = try? Hello.version(body: &reader), version != Hello.version else { return nil }
        return leave(.otherVersion(peer: version), at: now)
    }

    @inline(never)
    private mutating func receive(_ frame: ControlFrame, at now: Instant) -> SessionEvent {
        switch frame {
        case .hello(let hello): return receive(hello, at: now)
        case .goodbye(let goodbye):
            let reason = CloseReason(hearing: goodbye)
            phase = .closing(reason)
            return .closed(reason)
        case .ping(let number):
            guard phase.isOpen else { return fault(.unexpectedFrame, at: now) }
            progress.probe.pongOwed = number
            return .none
        case .pong(let number):
            guard phase.isOpen else { return fault(.unexpectedFrame, at: now) }
            progress.probe.answered(number, at: now)
            return .none
        case .acknowledgement(let acknowledgement):
            guard phase.isOpen else { return fault(.unexpectedFrame, at: now) }
            guard positions.acknowledge(acknowledgement) else { return fault(.acknowledgedUnsent, at: now) }
            progress.outgoing.acknowledged(positions)
            return .acknowledged(acknowledgement)
        }
    }

    @inline(never)
    private mutating func receive(_ hello: Hello, at now: Instant) -> SessionEvent {
        switch phase {
        case .awaitingHello:
            guard hello.role != identity.role else { return fault(.sameRole, at: now) }
            switch identity.role {
            case .watch: return open(hello, greeting: progress.greeting, at: now)
            case .phone:
                phase = .awaitingDecision(hello)
                return .helloArrived(hello)
            }
        case .awaitingDecision, .open: return fault(.unexpectedFrame, at: now)
        case .disconnected, .leaving, .closing, .closed: return .none
        }
    }

    @inline(never)
    private mutating func receiveMessage(_ sdu: Span<UInt8>, at now: Instant) -> SessionEvent {
        guard phase.isOpen else { return fault(.unexpectedFrame, at: now) }
        let header: MessageHeader
        do {
            header = try MessageHeader(sdu)
        } catch {
            return fault(error == .unexpectedKind ? .unsupported : .malformedFrame, at: now)
        }
        guard sdu.count &- header.encodedSize <= Int(truncatingIfNeeded: min(limits.largestMessage, 0x7FFF_FFFF)) else {
            return fault(.tooLong, at: now)
        }
        switch progress.incoming.receive(header) {
        case .new: return .message(header)
        case .duplicate: return .duplicate
        case .gap: return fault(.sequenceGap, at: now)
        }
    }
}
