import WatchLink

/// The sender's side of one file of a simulated phone, over as many links as it takes: decides what is sent next.
struct PhoneTransfer {
    private enum Phase: Equatable {
        /// It is still to be offered on this link, from this time on.
        case waiting(from: Instant)
        /// The watch has not answered the offer of this number.
        case offered(UInt32)
        /// The watch has everything below `written`, and everything below `next` is sent.
        case sending(UInt32, next: Int, written: Int, wish: Wish)
        case ended(PhoneFileState)
    }

    /// Whether the watch has asked for the content.
    private enum Wish {
        case first
        /// What it had kept of an earlier link was wrong, and so it wants everything.
        case again
    }

    /// What is sent next.
    enum Step: Equatable {
        case offer
        case chunk(UInt32, at: Int, count: Int)
    }

    /// The most chunks that are sent beyond what the watch has written.
    static let window = 2
    /// The pause after the first offer on a link that the watch was too busy for. It doubles with each further one.
    static let shortestPause = Microseconds.seconds(1)
    static let longestPause = Microseconds.seconds(30)

    let file: PhoneFile
    private var phase = Phase.waiting(from: .start)
    private var pause = PhoneTransfer.shortestPause

    init(_ file: PhoneFile) {
        self.file = file
    }

    var state: PhoneFileState {
        switch phase {
        case .waiting: .waiting
        case .offered: .offered
        case .sending(_, _, let written, _): .sending(upTo: written)
        case .ended(let state): state
        }
    }

    /// Its number on this link, where the watch knows of it and it has not ended.
    var number: UInt32? {
        switch phase {
        case .waiting, .ended: nil
        case .offered(let number), .sending(let number, _, _, _): number
        }
    }

    /// When it is to be offered; nil where it is, or has ended.
    var due: Instant? {
        switch phase {
        case .waiting(let time): time
        case .offered, .sending, .ended: nil
        }
    }

    /// What is sent next, in chunks of at most `chunk` bytes; nil while it waits.
    func next(chunk: Int, at now: Instant) -> Step? {
        switch phase {
        case .waiting(let time): return time <= now ? .offer : nil
        case .offered, .ended: return nil
        case .sending(let number, let next, let written, _):
            let length = file.content.count
            guard next < length, next - written < chunk * PhoneTransfer.window else { return nil }
            return .chunk(number, at: next, count: min(chunk, length - next))
        }
    }

    mutating func offered(as number: UInt32) { phase = .offered(number) }

    mutating func sent(_ count: Int) {
        guard case .sending(let number, let next, let written, let wish) = phase else { return }
        phase = .sending(number, next: next + count, written: written, wish: wish)
    }

    /// The watch wants the content from this offset on: once at first, and once more from the beginning when it has all of it.
    ///
    /// - Returns: what is wrong with that; nil where nothing is.
    mutating func resumed(from offset: UInt64) -> ProtocolFault? {
        let length = file.content.count
        switch phase {
        case .offered(let number):
            guard let offset = Int(exactly: offset), offset <= length else { return .brokenTransfer }
            phase = .sending(number, next: offset, written: offset, wish: .first)
        case .sending(let number, length, _, .first) where offset == 0:
            phase = .sending(number, next: 0, written: 0, wish: .again)
        case .sending: return .brokenTransfer
        case .waiting, .ended: break
        }
        return nil
    }

    /// The watch has written everything below this offset.
    ///
    /// - Returns: what is wrong with that; nil where nothing is.
    mutating func progressed(to offset: UInt64) -> ProtocolFault? {
        switch phase {
        case .sending(let number, let next, let written, let wish):
            guard let offset = Int(exactly: offset), offset <= next else { return .brokenTransfer }
            phase = .sending(number, next: next, written: max(written, offset), wish: wish)
            return nil
        case .offered: return .brokenTransfer
        case .waiting, .ended: return nil
        }
    }

    /// The watch has stored the file.
    ///
    /// - Returns: what is wrong with that; nil where nothing is.
    mutating func finished() -> ProtocolFault? {
        guard case .sending(_, file.content.count, _, _) = phase else { return .brokenTransfer }
        phase = .ended(.stored)
        return nil
    }

    /// The watch does not take the file. One that is busy is offered it again.
    mutating func refused(_ reason: FileReason, at now: Instant) {
        guard reason == .busy else {
            phase = .ended(.refused(reason))
            return
        }
        phase = .waiting(from: now + pause)
        pause = min(pause + pause, PhoneTransfer.longestPause)
    }

    /// Another file of the phone's has ended on this link: the watch may be less busy.
    mutating func otherEnded() {
        switch phase {
        case .waiting: phase = .waiting(from: .start)
        case .offered, .sending, .ended: break
        }
    }

    /// The link has ended, or a new one has begun.
    mutating func linkChanged() {
        switch phase {
        case .waiting, .offered, .sending: phase = .waiting(from: .start)
        case .ended: break
        }
        pause = PhoneTransfer.shortestPause
    }

    /// Somebody here has cancelled it, or a frame of it has ended the link. One that has ended already stays as it is.
    mutating func end(as state: PhoneFileState) {
        switch phase {
        case .waiting, .offered, .sending: phase = .ended(state)
        case .ended: break
        }
    }
}
