import WatchLink

/// The result of answering a peer's message.
package enum AnswerOutcome: Sendable, Equatable {
    /// One CBOR item.
    case value([UInt8])
    case failure(ReplyStatus)
}

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

/// The open exchanges of a link in both directions, and the frames that wait to be sent.
struct Exchanges {
    /// Called with the value of the reply, which is empty for a receipt, or with the error.
    typealias Done = (Result<[UInt8], WormholeError>) -> Void

    /// A question of the peer that this side is answering.
    private enum Answering {
        case running(InteractiveHeader.Wish, until: Instant)
        /// This side has replied that the answer is late, but the answerer still runs.
        case late

        var deadline: Instant? {
            switch self {
            case .running(_, let deadline): deadline
            case .late: nil
            }
        }
    }

    private struct Question {
        let deadline: Instant
        let done: Done
    }

    /// The most open exchanges in each direction on one link.
    static let mostOpen = 32
    /// The most frames that wait to be sent. It limits the memory that a peer can use if it asks and never reads.
    static let mostWaitingFrames = 64

    private var asked: [UInt32: Question] = [:]
    private var answering: [UInt32: Answering] = [:]
    private var frames: [[UInt8]] = []
    /// The notifications in transit, by name. True if another one must follow.
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

    /// Removes an open question of this side; nil if it is no longer open.
    mutating func takeQuestion(_ number: UInt32) -> Done? { asked.removeValue(forKey: number)?.done }

    // MARK: Notifications

    /// Records a notification of a name. Returns true to send it now, or false if it follows the notification in transit.
    mutating func notify(_ name: MessageName) -> Bool {
        let isFirst = notices[name] == nil
        notices[name] = !isFirst
        return isFirst
    }

    /// Call when the notification in transit has arrived or failed. Returns whether to send another one.
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

    /// Ends the answering of a question. Returns what the peer wants; nil if the peer no longer waits.
    mutating func end(_ number: UInt32) -> InteractiveHeader.Wish? {
        switch answering.removeValue(forKey: number) {
        case .running(let wish, _): wish
        case .late, nil: nil
        }
    }

    // MARK: Time

    /// When the next exchange times out; nil if none is open.
    var deadline: Instant? {
        [asked.values.lazy.map(\.deadline).min(), answering.values.lazy.compactMap(\.deadline).min()]
            .compactMap { $0 }.min()
    }

    /// Ends this side's questions that have timed out, and marks the peer's as late. Returns the closures of this side's
    /// questions and the numbers of the peer's, both in order.
    mutating func expire(at now: Instant) -> (asked: [Done], answering: [UInt32]) {
        let over = asked.filter { $0.value.deadline <= now }.sorted { $0.key < $1.key }
        for (number, _) in over { asked[number] = nil }
        let late = answering.filter { $0.value.deadline.map { $0 <= now } ?? false }.keys.sorted()
        for number in late { answering[number] = .late }
        return (over.map(\.value.done), late)
    }

    // MARK: The end

    /// Ends all exchanges, because the link has ended.
    ///
    /// - Returns: this side's questions and the numbers of the peer's questions, in order.
    mutating func end() -> (asked: [Done], answering: [UInt32]) {
        defer { (asked, answering, frames, notices) = ([:], [:], [], [:]) }
        return (asked.sorted { $0.key < $1.key }.map(\.value.done), answering.keys.sorted())
    }
}
