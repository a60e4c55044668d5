import WatchLink

/// The receiver's side of one transfer on one link: decides what becomes of what arrives. It writes no file.
struct IncomingTransfer {
    enum Phase: Equatable {
        /// It looks for what an earlier link has left.
        case preparing
        /// Everything below `arrived` is here, and everything below `written` is written; `waiting` chunks are between the two.
        case receiving(arrived: UInt64, written: UInt64, waiting: Int)
        /// The hash of the whole is computed.
        case judging
        case ended
    }

    /// Where the content comes from.
    enum Source {
        /// This link alone.
        case link
        /// An earlier link too: where the hash is wrong, that may be wrong.
        case kept
    }

    /// What follows from something.
    enum Step: Equatable {
        case none
        /// Say this.
        case say(FileStep)
        /// Say this, and have the whole judged.
        case judge(FileStep)
    }

    /// The bytes of the content, as its sender says.
    let length: UInt64
    private(set) var phase = Phase.preparing
    private var source = Source.link

    init(length: UInt64) { self.length = length }

    /// An earlier link has left this much.
    mutating func prepared(having kept: UInt64) -> Step {
        guard phase == .preparing else { return .none }
        source = kept > 0 ? .kept : .link
        return begin(at: kept)
    }

    private mutating func begin(at offset: UInt64) -> Step {
        guard offset < length else {
            phase = .judging
            return .judge(.resume(from: offset))
        }
        phase = .receiving(arrived: offset, written: offset, waiting: 0)
        return .say(.resume(from: offset))
    }

    /// Whether it has ended: what the sender had under way is of no use any more.
    var hasEnded: Bool { phase == .ended }

    /// Content has arrived.
    ///
    /// - Returns: what is wrong with it; nil where it is to be written.
    mutating func arrived(at offset: UInt64, count: Int) -> ProtocolFault? {
        guard case .receiving(offset, let written, let waiting) = phase, UInt64(count) <= length - offset else {
            return .brokenTransfer
        }
        guard waiting < OutgoingTransfer.window else { return .windowExceeded }
        phase = .receiving(arrived: offset + UInt64(count), written: written, waiting: waiting + 1)
        return nil
    }

    /// The oldest chunks that waited are written: this many, with `count` bytes.
    mutating func wrote(_ count: Int, chunks: Int = 1) -> Step {
        guard case .receiving(let arrived, let before, let waiting) = phase else { return .none }
        let written = before + UInt64(count)
        guard written == length else {
            phase = .receiving(arrived: arrived, written: written, waiting: waiting - chunks)
            return .say(.progress(to: written))
        }
        phase = .judging
        return .judge(.progress(to: written))
    }

    /// The whole has the wrong hash. Where a part of it was kept from an earlier link, the sender is asked once for everything.
    mutating func isWrong() -> Step {
        guard phase == .judging else { return .none }
        switch source {
        case .link:
            phase = .ended
            return .say(.refusal(.wrongHash))
        case .kept:
            source = .link
            return begin(at: 0)
        }
    }

    /// The file is stored.
    mutating func isStored() -> Step {
        guard phase == .judging else { return .none }
        phase = .ended
        return .say(.done)
    }

    /// Either side ends it; false where it has ended already, or is whole.
    mutating func end() -> Bool {
        switch phase {
        case .judging, .ended: return false
        case .preparing, .receiving:
            phase = .ended
            return true
        }
    }

    /// It cannot be stored; false where it has ended already.
    mutating func isFailed() -> Bool {
        guard phase != .ended else { return false }
        phase = .ended
        return true
    }
}
