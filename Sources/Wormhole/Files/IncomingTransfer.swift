import WatchLink

/// The receiving side of one transfer on one link. It only decides; `FileJob` writes the file.
struct IncomingTransfer {
    enum Phase: Equatable {
        /// A job looks for what an earlier link has left.
        case preparing
        /// All bytes below `arrived` are here, and those below `written` are on the disk. `waiting` chunks are not written yet.
        case receiving(arrived: UInt64, written: UInt64, waiting: Int)
        /// The hash of the complete file is being computed.
        case judging
        case ended
    }

    /// What the link does next.
    enum Step: Equatable {
        case none
        /// Send a frame.
        case say(FileStep)
        /// Send a frame, and compute the hash of the complete file.
        case judge(FileStep)
    }

    /// The length in bytes that the sender has given.
    let length: UInt64
    private(set) var phase = Phase.preparing
    /// Whether an earlier link left a part of the file. If the hash is wrong, that part may be the cause.
    private var hasKeptPart = false

    init(length: UInt64) { self.length = length }

    /// Call when the partial file is open. An earlier link has left `kept` bytes in it.
    mutating func prepared(having kept: UInt64) -> Step {
        guard phase == .preparing else { return .none }
        hasKeptPart = kept > 0
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

    /// Whether the transfer has ended. Content that is still in transit is then ignored.
    var hasEnded: Bool { phase == .ended }

    /// Takes in content.
    ///
    /// - Returns: the peer's fault; nil if the caller has to write the content.
    mutating func arrived(at offset: UInt64, count: Int) -> ProtocolFault? {
        guard case .receiving(offset, let written, let waiting) = phase, UInt64(count) <= length - offset else {
            return .brokenTransfer
        }
        guard waiting < OutgoingTransfer.window else { return .windowExceeded }
        phase = .receiving(arrived: offset + UInt64(count), written: written, waiting: waiting + 1)
        return nil
    }

    /// Call when the oldest waiting chunks are written. `count` is their number of bytes.
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

    /// Call when the hash is wrong. If an earlier link left a part, the sender is asked once for the whole file.
    mutating func isWrong() -> Step {
        guard phase == .judging else { return .none }
        guard hasKeptPart else {
            phase = .ended
            return .say(.refusal(.wrongHash))
        }
        hasKeptPart = false
        return begin(at: 0)
    }

    mutating func isStored() -> Step {
        guard phase == .judging else { return .none }
        phase = .ended
        return .say(.done)
    }

    /// Ends the transfer because either side cancelled it; false if it has ended already or is complete.
    mutating func end() -> Bool {
        switch phase {
        case .judging, .ended: return false
        case .preparing, .receiving:
            phase = .ended
            return true
        }
    }
}
