enum DeliveryEvent: SimulationEvent {
    // What a program does.
    case queue(end: LinkEnd, count: Int)
    case complicate(end: LinkEnd, count: Int)
    /// The program withdraws its oldest waiting message.
    case withdraw(end: LinkEnd)
    /// The program passes several values of a name, one after the other.
    case change(end: LinkEnd, name: ValueName, count: Int)
    case clear(end: LinkEnd, name: ValueName)
    case notify(end: LinkEnd)
    /// Asks `count` questions at once. Times in milliseconds: of the answer, of the wait for it, and of the wait for a link.
    case ask(end: LinkEnd, count: Int, name: QuestionName, answer: Int, limit: Int, reach: Int)
    case send(end: LinkEnd, bytes: Int)
    /// The sender cancels a file.
    case cancelSending(end: LinkEnd)
    case cancelReceiving(end: LinkEnd)

    // What goes wrong with the link.
    case cut
    /// One end learns that the link is lost, and the other does not.
    case abandon(end: LinkEnd)
    /// Datagrams to this end are lost until the link ends.
    case deafen(end: LinkEnd)
    /// The ends are out of reach for a while.
    case part(milliseconds: Int)
    /// The time of each datagram from now on.
    case delay(milliseconds: Int)

    // What goes wrong with an end.
    case computer(end: LinkEnd, fault: ComputerFault)
    /// There is no room for files.
    case fillFiles(end: LinkEnd, afterCalls: Int, count: Int)
    /// Sets the local date of both ends forward.
    case setDay(days: Int)

    enum ValueName: String, Codable, CaseIterable, Sendable {
        /// Only one end passes values under it.
        case own
        case shared
    }

    enum QuestionName: String, Codable, CaseIterable, Sendable {
        /// The program answers with a value that depends on the question.
        case echo
        case fails
        case nobody
    }
}

/// No choices: every plan begins in the same state.
struct DeliveryCast: Codable, Equatable, Sendable {}
