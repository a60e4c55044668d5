/// An end of a wormhole.
package enum WormholeEnd: String, Codable, CaseIterable, Sendable {
    /// The one that listens.
    case phone
    /// The one that connects.
    case watch

    /// The end at the other side.
    var other: WormholeEnd {
        switch self {
        case .phone: .watch
        case .watch: .phone
        }
    }
}

/// Something that a plan of deliveries has happen: what the programs of the two ends do, and what goes wrong.
package enum DeliveryHappening: Codable, Equatable, Sendable {
    // What a program does.
    case queue(end: WormholeEnd, count: Int)
    case complicate(end: WormholeEnd, count: Int)
    /// The message that waits longest is taken back.
    case withdraw(end: WormholeEnd)
    /// New values of a name come one after the other.
    case change(end: WormholeEnd, name: ValueName, count: Int)
    case clear(end: WormholeEnd, name: ValueName)
    case notify(end: WormholeEnd)
    /// Questions are asked at once. The answer takes `answer` milliseconds; who asks waits for `limit`, and for the link for `reach`.
    case ask(end: WormholeEnd, count: Int, name: QuestionName, answer: Int, limit: Int, reach: Int)
    case send(end: WormholeEnd, bytes: Int)
    /// Whoever sends a file ends its way.
    case cancelSending(end: WormholeEnd)
    /// Whoever receives a file does.
    case cancelReceiving(end: WormholeEnd)

    // What goes wrong with the link.
    case cut
    /// One end learns that the link is gone, and the other does not.
    case abandon(end: WormholeEnd)
    /// What goes to this end is lost until the link ends.
    case deafen(end: WormholeEnd)
    /// Nobody is in reach for a while.
    case part(milliseconds: Int)
    /// Datagrams take this long from now on.
    case delay(milliseconds: Int)

    // What goes wrong with an end.
    case kill(end: WormholeEnd, afterWrites: Int?, milliseconds: Int, loss: Loss)
    /// The program is killed at one of its calls for files.
    case killAtFile(end: WormholeEnd, afterCalls: Int, milliseconds: Int, loss: Loss)
    case restart(end: WormholeEnd, milliseconds: Int)
    case failDisk(end: WormholeEnd, afterWrites: Int, count: Int, full: Happening.DiskTrouble)
    /// There is no room for files.
    case fillFiles(end: WormholeEnd, afterCalls: Int, count: Int)
    /// The local day of both ends is another, `days` later.
    case setDay(days: Int)

    /// The names that values have.
    package enum ValueName: String, Codable, CaseIterable, Sendable {
        /// One end alone passes values under it.
        case own
        /// Both ends do.
        case shared
    }

    /// What answers.
    package enum QuestionName: String, Codable, CaseIterable, Sendable {
        /// Somebody who answers with a value that belongs to the question.
        case echo
        /// Somebody who fails.
        case fails
        /// Nobody.
        case nobody
    }

    /// What is lost with a program that is killed.
    package enum Loss: String, Codable, Sendable {
        case nothing
        /// The power fails: what is not on the disk is gone, and the other end is not told.
        case power
    }
}

/// The faults of deliveries, as reports count those that happened.
package enum DeliveryFault: String, Codable, CaseIterable, Sendable {
    case linkCut, linkHalfOpen, linkDeaf, linkAway, linkSlow
    case endKill, endPowerLoss, endRestart, endDiskFailure, endFilesFull, dayChange
}

/// Some seconds of two ends of a wormhole: what they pass, and what goes wrong.
package struct DeliveryPlan: Codable, Equatable, Sendable {
    /// What happens at a time.
    package struct Event: Codable, Equatable, Sendable {
        /// Milliseconds since the beginning.
        package var at: Int
        package var what: DeliveryHappening
    }

    /// Randomness for everything that the plan does not say.
    package var seed: UInt64
    /// What happens, in order.
    package var deliveries: [Event]
}

extension DeliveryPlan {
    /// The plan as JSON with one event a line, as `--plan` reads it.
    package var text: String {
        PlanText.writing("\"seed\":\(seed)", "deliveries", deliveries)
    }

    /// Reads what `text` has written, also behind a story.
    package init(text: String) throws(SoakError) {
        self = try PlanText.reading(text)
    }
}
