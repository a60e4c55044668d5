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

    /// How far an answer of ours has got.
    private enum Answering {
        case running
        /// The peer has been told that it comes too late, and whoever makes it still runs.
        case late
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

    private var asked: [UInt32: Waiter] = [:]
    private var answering: [UInt32: (progress: Answering, task: Task<Void, Never>, timer: Task<Void, Never>)] = [:]
    private var frames: [[UInt8]] = []
    private var notices: [MessageName: Notice] = [:]

    // MARK: Frames

    var isFull: Bool { frames.count >= Exchanges.mostWaitingFrames }

    mutating func append(_ frame: [UInt8]) { frames.append(frame) }

    mutating func takeFrame() -> [UInt8]? { frames.isEmpty ? nil : frames.removeFirst() }

    // MARK: What this side asks

    var mayAsk: Bool { asked.count < Exchanges.mostOpen }

    mutating func ask(_ number: UInt32) -> Waiter {
        let waiter = Waiter(.waiting)
        asked[number] = waiter
        return waiter
    }

    /// The peer has replied. Whoever has asked may have given up.
    mutating func replied(_ number: UInt32, _ status: ReplyStatus, _ value: [UInt8]) {
        asked.removeValue(forKey: number)?.change { $0 = .replied(status, value) }
    }

    /// An exchange of ours ends without a reply.
    mutating func giveUp(_ number: UInt32, _ error: WormholeError) {
        asked.removeValue(forKey: number)?.change { $0 = .over(error) }
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

    /// Somebody makes an answer, for as long as the timer runs.
    mutating func begin(_ number: UInt32, _ task: Task<Void, Never>, timer: Task<Void, Never>) {
        answering[number] = (.running, task, timer)
    }

    /// The time of whoever asks is over. Returns whether it is to be told.
    mutating func late(_ number: UInt32) -> Bool {
        guard let answer = answering[number], answer.progress == .running else { return false }
        answering[number]?.progress = .late
        answer.task.cancel()
        return true
    }

    /// Whoever makes an answer has returned. Returns whether the answer is to be sent.
    mutating func end(_ number: UInt32) -> Bool {
        guard let answer = answering.removeValue(forKey: number) else { return false }
        // Whoever asks may be willing to wait for weeks.
        answer.timer.cancel()
        return answer.progress == .running
    }

    // MARK: The end

    /// The link has ended: nobody gets an answer any more.
    mutating func end(_ error: WormholeError) {
        for waiter in asked.values { waiter.change { $0 = .over(error) } }
        for answer in answering.values {
            answer.task.cancel()
            answer.timer.cancel()
        }
        (asked, answering, frames, notices) = ([:], [:], [], [:])
    }
}
