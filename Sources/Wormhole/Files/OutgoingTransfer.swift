import WatchLink

/// The sender's side of one transfer on one link: decides what is sent next. It reads no file.
struct OutgoingTransfer {
    enum Phase: Equatable {
        /// The offer is still to be sent.
        case offering
        /// The receiver has not said yet what it has.
        case offered
        /// The receiver has everything below `written`, and everything below `next` is sent. `wish` says whether the receiver may
        /// still ask for all of it again.
        case sending(next: UInt64, written: UInt64, wish: Wish)
    }

    /// Whether the receiver has asked for the content.
    enum Wish {
        case first
        /// What it had kept of an earlier link was wrong, and so it wants everything.
        case again
    }

    /// What is sent next.
    enum Step: Equatable {
        case offer
        case chunk(at: UInt64, count: Int)
    }

    /// The bytes of the content.
    let length: UInt64
    /// The most bytes of it in one frame.
    let chunk: Int
    private(set) var phase = Phase.offering

    init(length: UInt64, chunk: Int) {
        self.length = length
        self.chunk = chunk
    }

    /// What the sender sends next; nil while it waits for the receiver.
    var next: Step? {
        switch phase {
        case .offering: return .offer
        case .offered: return nil
        case .sending(let next, let written, _):
            let room = UInt64(chunk * TransferLimits.window)
            guard next < length, next - written < room else { return nil }
            return .chunk(at: next, count: Int(min(UInt64(chunk), length - next)))
        }
    }

    /// Whether everything has arrived.
    var isDelivered: Bool {
        switch phase {
        case .offering, .offered: false
        case .sending(_, let written, _): written == length
        }
    }

    /// Whether the peer knows of it.
    var isKnown: Bool { phase != .offering }

    /// The transport has taken a frame.
    mutating func sent(_ step: Step) {
        switch (phase, step) {
        case (.offering, .offer): phase = .offered
        case (.sending(let next, let written, let wish), .chunk(let offset, let count)) where offset == next:
            phase = .sending(next: next + UInt64(count), written: written, wish: wish)
        case (.offering, .chunk), (.offered, _), (.sending, _): break
        }
    }

    /// The receiver wants the content from this offset on: once at first, and once more from the beginning, when it has all of it.
    ///
    /// - Returns: what is wrong with that; nil where nothing is.
    mutating func resumed(from offset: UInt64) -> ProtocolFault? {
        switch phase {
        case .offered where offset <= length: phase = .sending(next: offset, written: offset, wish: .first)
        case .sending(length, _, .first) where offset == 0: phase = .sending(next: 0, written: 0, wish: .again)
        case .offering, .offered, .sending: return .brokenTransfer
        }
        return nil
    }

    /// The receiver has written everything below this offset.
    ///
    /// - Returns: what is wrong with that; nil where nothing is.
    mutating func progressed(to offset: UInt64) -> ProtocolFault? {
        guard case .sending(let next, let written, let wish) = phase, offset <= next else { return .brokenTransfer }
        phase = .sending(next: next, written: max(written, offset), wish: wish)
        return nil
    }

    /// The receiver has the file.
    ///
    /// - Returns: what is wrong with that; nil where nothing is.
    func finished() -> ProtocolFault? {
        guard case .sending(length, _, _) = phase else { return .brokenTransfer }
        return nil
    }
}
