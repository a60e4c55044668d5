/// What happens to the two ends of a wormhole: what their programs do, and what goes wrong.
enum DeliveryEvent: SimulationEvent {
    // What a program does.
    case queue(end: LinkEnd, count: Int)
    case complicate(end: LinkEnd, count: Int)
    /// The message that waits longest is taken back.
    case withdraw(end: LinkEnd)
    /// New values of a name come one after the other.
    case change(end: LinkEnd, name: ValueName, count: Int)
    case clear(end: LinkEnd, name: ValueName)
    case notify(end: LinkEnd)
    /// Questions are asked at once. The answer takes `answer` milliseconds; the asker waits for `limit`, and for the link for `reach`.
    case ask(end: LinkEnd, count: Int, name: QuestionName, answer: Int, limit: Int, reach: Int)
    case send(end: LinkEnd, bytes: Int)
    /// The sender of a file ends its way.
    case cancelSending(end: LinkEnd)
    case cancelReceiving(end: LinkEnd)

    // What goes wrong with the link.
    case cut
    /// One end learns that the link is gone, and the other does not.
    case abandon(end: LinkEnd)
    /// What goes to this end is lost until the link ends.
    case deafen(end: LinkEnd)
    /// The ends are out of reach for a while.
    case part(milliseconds: Int)
    /// Datagrams take this long from now on.
    case delay(milliseconds: Int)

    // What goes wrong with an end.
    case computer(end: LinkEnd, fault: ComputerFault)
    /// There is no room for files.
    case fillFiles(end: LinkEnd, afterCalls: Int, count: Int)
    /// The local day of both ends is another, `days` later.
    case setDay(days: Int)

    enum ValueName: String, Codable, CaseIterable, Sendable {
        /// One end alone passes values under it.
        case own
        case shared
    }

    enum QuestionName: String, Codable, CaseIterable, Sendable {
        /// A program that answers with a value that belongs to the question.
        case echo
        case fails
        case nobody
    }
}

/// Everything is as always at the beginning.
struct DeliveryCast: Codable, Equatable, Sendable {}
