import WatchLink

package enum AnswerOutcome: Sendable, Equatable {
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
    package let payload: [UInt8]
}

struct Exchanges {
    /// The completion closure of a question. It gets the value of the reply, or the error. The value is empty if the question
    /// asked only for a receipt.
    typealias Done = (Result<[UInt8], WormholeError>) -> Void

    private enum Answering {
        case running(InteractiveHeader.Wish, until: Instant)
        /// The peer was told that the answer is late, but the answerer still runs.
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

    static let mostOpen = 32
    /// If this many frames wait to be sent when a question arrives, the link closes. Otherwise a peer that asks and never
    /// reads the replies could fill this side's memory.
    static let mostWaitingFrames = 64

    private var asked: [UInt32: Question] = [:]
    private var answering: [UInt32: Answering] = [:]
    private var frames: [[UInt8]] = []
    /// For each name with a notification in transit, whether a second notification must follow.
    private var notices: [MessageName: Bool] = [:]

    var isFull: Bool { frames.count >= Exchanges.mostWaitingFrames }

    mutating func append(_ frame: [UInt8]) { frames.append(frame) }

    mutating func takeFrame() -> [UInt8]? { frames.isEmpty ? nil : frames.removeFirst() }

    var mayAsk: Bool { asked.count < Exchanges.mostOpen }

    mutating func ask(_ number: UInt32, until deadline: Instant, _ done: @escaping Done) {
        asked[number] = Question(deadline: deadline, done: done)
    }

    /// Ends a question of this side, and returns its completion closure; nil if the question is no longer open.
    mutating func takeQuestion(_ number: UInt32) -> Done? { asked.removeValue(forKey: number)?.done }

    /// Records a notification. Returns true if the caller must send it now. If a notification of the same name is in transit,
    /// returns false, and `notified` will return true.
    mutating func notify(_ name: MessageName) -> Bool {
        let isFirst = notices[name] == nil
        notices[name] = !isFirst
        return isFirst
    }

    /// Call when a notification has been answered or has failed. Returns whether the caller must send a second notification of
    /// the same name.
    mutating func notified(_ name: MessageName) -> Bool {
        guard notices.removeValue(forKey: name) == true else { return false }
        notices[name] = false
        return true
    }

    var mayAnswer: Bool { answering.count < Exchanges.mostOpen }

    mutating func begin(_ number: UInt32, _ wish: InteractiveHeader.Wish, until deadline: Instant) {
        answering[number] = .running(wish, until: deadline)
    }

    /// Ends a question of the peer. Returns what the peer wants in the reply; nil if the peer no longer waits for one.
    mutating func end(_ number: UInt32) -> InteractiveHeader.Wish? {
        switch answering.removeValue(forKey: number) {
        case .running(let wish, _): wish
        case .late, nil: nil
        }
    }

    var deadline: Instant? {
        [asked.values.lazy.map(\.deadline).min(), answering.values.lazy.compactMap(\.deadline).min()]
            .compactMap { $0 }.min()
    }

    /// If a question of this side has timed out, ends it. If a question of the peer has timed out, marks it as late. Returns
    /// the closures of the ended questions and the numbers of the late questions, oldest first.
    mutating func expire(at now: Instant) -> (asked: [Done], answering: [UInt32]) {
        let over = asked.filter { $0.value.deadline <= now }.sorted { $0.key < $1.key }
        for (number, _) in over { asked[number] = nil }
        let late = answering.filter { $0.value.deadline.map { $0 <= now } ?? false }.keys.sorted()
        for number in late { answering[number] = .late }
        return (over.map(\.value.done), late)
    }

    /// Ends all questions, and drops the frames that wait. Returns the closures of this side's questions and the numbers of the
    /// peer's questions, oldest first.
    mutating func end() -> (asked: [Done], answering: [UInt32]) {
        defer { (asked, answering, frames, notices) = ([:], [:], [], [:]) }
        return (asked.sorted { $0.key < $1.key }.map(\.value.done), answering.keys.sorted())
    }
}
