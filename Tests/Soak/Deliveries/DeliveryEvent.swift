enum DeliveryEvent: SimulationEvent {
    // What a program does.
    case queue(end: LinkEnd, count: Int)
    case complicate(end: LinkEnd, count: Int)
    /// Withdraws the oldest queued message that waits for the other end.
    case withdraw(end: LinkEnd)
    case change(end: LinkEnd, name: ValueName, count: Int)
    case clear(end: LinkEnd, name: ValueName)
    case notify(end: LinkEnd)
    /// Asks `count` questions at once. `answer` is the delay of the answer, `limit` the maximum wait for the answer,
    /// and `reach` the maximum wait for a link. All are in milliseconds.
    case ask(end: LinkEnd, count: Int, name: QuestionName, answer: Int, limit: Int, reach: Int)
    case send(end: LinkEnd, bytes: Int)
    case cancelSending(end: LinkEnd)
    case cancelReceiving(end: LinkEnd)

    // What goes wrong with the link.
    case cut
    /// The link is lost at `end`. The other end does not notice.
    case abandon(end: LinkEnd)
    /// Datagrams to `end` are lost until the link ends.
    case deafen(end: LinkEnd)
    /// The link is cut, and the ends cannot connect again for `milliseconds`.
    case part(milliseconds: Int)
    /// From now on, each datagram takes `milliseconds` to arrive.
    case delay(milliseconds: Int)

    // What goes wrong with an end.
    case computer(end: LinkEnd, fault: ComputerFault)
    /// The next `afterCalls` file writes succeed. The `count` file writes that follow fail, because the disk is full.
    case fillFiles(end: LinkEnd, afterCalls: Int, count: Int)
    /// Moves the wall clocks of both ends by `days`.
    case setDay(days: Int)

    enum ValueName: String, Codable, CaseIterable, Sendable {
        /// A name under which only one end passes values.
        case own
        case shared
    }

    enum QuestionName: String, Codable, CaseIterable, Sendable {
        case echo
        case fails
        case nobody
    }
}

/// Empty, because every plan begins in the same state.
struct DeliveryCast: Codable, Equatable, Sendable {}
