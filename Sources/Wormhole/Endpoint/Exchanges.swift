import HostSystem
import WatchLink

/// The exchanges of a link in both directions: what waits for an answer, and the frames that wait to be sent.
struct Exchanges {
    /// How far an exchange of ours has got.
    enum Progress: Sendable {
        /// Its frame waits, or is sent.
        case waiting
        /// The peer has replied: the value, if there is one.
        case replied(ReplyStatus, [UInt8])
        /// It has ended without a reply.
        case over(WormholeError)
    }

    /// What a program waits on.
    typealias Waiter = WaitableState<Progress>

    /// Somebody's answer to a question of the peer's.
    private enum Answering {
        /// Whoever makes it has begun, and has not been seen to wait for anything.
        case begun(until: Instant)
        case running(Task<Void, Never>, until: Instant)
        /// The peer has been told that it comes too late, and whoever makes it still runs.
        case late(Task<Void, Never>)

        /// When it comes too late.
        var deadline: Instant? {
            switch self {
            case .begun(let deadline), .running(_, let deadline): deadline
            case .late: nil
            }
        }
    }

    /// A question of ours: who waits for its answer, and for how long.
    private struct Question {
        let waiter: Waiter
        let deadline: Instant
    }

    /// Whether a notification was asked for again while one was under way.
    private enum Notice {
        case once
        case again
    }

    /// The most exchanges in each direction that wait for an answer on one link.
    static let mostOpen = 32
    /// The most frames that wait to be sent: a peer that asks and does not read is not let in for more.
    static let mostWaitingFrames = 64

    private var asked: [UInt32: Question] = [:]
    private var answering: [UInt32: Answering] = [:]
    private var frames: [[UInt8]] = []
    private var notices: [MessageName: Notice] = [:]

    // MARK: Frames

    var isFull: Bool { frames.count >= Exchanges.mostWaitingFrames }

    var hasFrames: Bool { !frames.isEmpty }

    mutating func append(_ frame: [UInt8]) { frames.append(frame) }

    mutating func takeFrame() -> [UInt8]? { frames.isEmpty ? nil : frames.removeFirst() }

    // MARK: What this side asks

    var mayAsk: Bool { asked.count < Exchanges.mostOpen }

    mutating func ask(_ number: UInt32, until deadline: Instant) -> Waiter {
        let waiter = Waiter(.waiting)
        asked[number] = Question(waiter: waiter, deadline: deadline)
        return waiter
    }

    /// The peer has replied. Whoever has asked may have given up.
    mutating func replied(_ number: UInt32, _ status: ReplyStatus, _ value: [UInt8]) {
        asked.removeValue(forKey: number)?.waiter.change { $0 = .replied(status, value) }
    }

    /// An exchange of ours ends without a reply.
    mutating func giveUp(_ number: UInt32, _ error: WormholeError) {
        asked.removeValue(forKey: number)?.waiter.change { $0 = .over(error) }
    }

    // MARK: Notifications

    /// Notes that a name is notified. Returns whether nobody does so yet.
    mutating func notify(_ name: MessageName) -> Bool {
        let isFirst = notices[name] == nil
        notices[name] = isFirst ? .once : .again
        return isFirst
    }

    /// A notification has arrived. Returns whether there is to be another.
    mutating func notified(_ name: MessageName) -> Bool {
        switch notices.removeValue(forKey: name) {
        case .again:
            notices[name] = .once
            return true
        case .once, nil: return false
        }
    }

    // MARK: What the peer asks

    var mayAnswer: Bool { answering.count < Exchanges.mostOpen }

    /// Somebody begins to make an answer.
    mutating func begin(_ number: UInt32, until deadline: Instant) {
        answering[number] = .begun(until: deadline)
    }

    /// Whoever makes an answer has begun, and waits for something, unless the answer is there already.
    mutating func waits(_ number: UInt32, _ task: Task<Void, Never>) {
        guard case .begun(let deadline) = answering[number] else { return }
        answering[number] = .running(task, until: deadline)
    }

    /// Whoever makes an answer has returned. Returns whether the answer is to be sent.
    mutating func end(_ number: UInt32) -> Bool {
        switch answering.removeValue(forKey: number) {
        case .begun, .running: true
        case .late, nil: false
        }
    }

    // MARK: Time

    /// When the time of the next exchange is over.
    var deadline: Instant? {
        [asked.values.lazy.map(\.deadline).min(), answering.values.lazy.compactMap(\.deadline).min()]
            .compactMap { $0 }.min()
    }

    /// Gives up what has had its time. Returns the numbers of the questions whose answers come too late, in order.
    mutating func expire(at now: Instant) -> [UInt32] {
        for (number, question) in asked where question.deadline <= now { giveUp(number, .noAnswer(.noReply)) }
        var late: [UInt32] = []
        for (number, answer) in answering {
            guard case .running(let task, let deadline) = answer, deadline <= now else { continue }
            task.cancel()
            answering[number] = .late(task)
            late.append(number)
        }
        return late.sorted()
    }

    // MARK: The end

    /// The link has ended: nobody gets an answer any more.
    mutating func end(_ error: WormholeError) {
        for question in asked.values { question.waiter.change { $0 = .over(error) } }
        for answer in answering.values {
            switch answer {
            case .begun: break
            case .running(let task, _), .late(let task): task.cancel()
            }
        }
        (asked, answering, frames, notices) = ([:], [:], [], [:])
    }
}
