import WatchLink

/// What came of a message that a program was to answer.
package enum AnswerOutcome: Sendable, Equatable {
    /// One CBOR item.
    case value([UInt8])
    case failure(ReplyStatus)
}

/// A question of a peer.
package struct PeerQuestion: Sendable {
    package struct ID: Hashable, Sendable {
        let channel: ChannelNumber
        let number: UInt32
    }

    package let id: ID
    let peer: PeerIdentity
    package let name: MessageName
    /// One CBOR item.
    package let payload: [UInt8]
}

/// The exchanges of a link in both directions: what waits for an answer, and the frames that wait to be sent.
struct Exchanges {
    /// Called with the value of the reply, which is empty for a receipt, or why there is none.
    typealias Done = (Result<[UInt8], WormholeError>) -> Void

    /// A question of the peer's.
    private enum Answering {
        case running(InteractiveHeader.Wish, until: Instant)
        /// The peer has been told that the answer comes too late, and it is still being made.
        case late

        /// When it comes too late.
        var deadline: Instant? {
            switch self {
            case .running(_, let deadline): deadline
            case .late: nil
            }
        }
    }

    /// A question of ours.
    private struct Question {
        let deadline: Instant
        let done: Done
    }

    /// The most exchanges in each direction that wait for an answer on one link.
    static let mostOpen = 32
    /// The most frames that wait to be sent: a peer that asks and does not read is not let in for more.
    static let mostWaitingFrames = 64

    private var asked: [UInt32: Question] = [:]
    private var answering: [UInt32: Answering] = [:]
    private var frames: [[UInt8]] = []
    /// The names whose listeners on the other side are being woken, and whether they are woken once more after that.
    private var notices: [MessageName: Bool] = [:]

    // MARK: Frames

    var isFull: Bool { frames.count >= Exchanges.mostWaitingFrames }

    mutating func append(_ frame: [UInt8]) { frames.append(frame) }

    mutating func takeFrame() -> [UInt8]? { frames.isEmpty ? nil : frames.removeFirst() }

    // MARK: What this side asks

    var mayAsk: Bool { asked.count < Exchanges.mostOpen }

    mutating func ask(_ number: UInt32, until deadline: Instant, _ done: @escaping Done) {
        asked[number] = Question(deadline: deadline, done: done)
    }

    /// A question of ours is over. Its asker may have given up.
    mutating func takeQuestion(_ number: UInt32) -> Done? { asked.removeValue(forKey: number)?.done }

    // MARK: Notifications

    /// Notes that a name is notified. Returns whether that is not under way yet.
    mutating func notify(_ name: MessageName) -> Bool {
        let isFirst = notices[name] == nil
        notices[name] = !isFirst
        return isFirst
    }

    /// A notification has arrived. Returns whether there is to be another.
    mutating func notified(_ name: MessageName) -> Bool {
        guard notices.removeValue(forKey: name) == true else { return false }
        notices[name] = false
        return true
    }

    // MARK: What the peer asks

    var mayAnswer: Bool { answering.count < Exchanges.mostOpen }

    mutating func begin(_ number: UInt32, _ wish: InteractiveHeader.Wish, until deadline: Instant) {
        answering[number] = .running(wish, until: deadline)
    }

    /// An answer is made. Returns what the peer wants of it; nil if nothing is to be sent.
    mutating func end(_ number: UInt32) -> InteractiveHeader.Wish? {
        switch answering.removeValue(forKey: number) {
        case .running(let wish, _): wish
        case .late, nil: nil
        }
    }

    // MARK: Time

    /// When the time of the next exchange is over.
    var deadline: Instant? {
        [asked.values.lazy.map(\.deadline).min(), answering.values.lazy.compactMap(\.deadline).min()]
            .compactMap { $0 }.min()
    }

    /// Gives up what has had its time. Returns the questions of ours, and the numbers of the peer's, in order.
    mutating func expire(at now: Instant) -> (asked: [Done], answering: [UInt32]) {
        let over = asked.filter { $0.value.deadline <= now }.sorted { $0.key < $1.key }
        for (number, _) in over { asked[number] = nil }
        let late = answering.filter { $0.value.deadline.map { $0 <= now } ?? false }.keys.sorted()
        for number in late { answering[number] = .late }
        return (over.map(\.value.done), late)
    }

    // MARK: The end

    /// The link has ended: no question gets an answer any more.
    ///
    /// - Returns: the questions of ours, and the numbers of the peer's, in order.
    mutating func end() -> (asked: [Done], answering: [UInt32]) {
        defer { (asked, answering, frames, notices) = ([:], [:], [], [:]) }
        return (asked.sorted { $0.key < $1.key }.map(\.value.done), answering.keys.sorted())
    }
}
