import CalDAV
import TestDoubles

enum ListEditor: String, Codable, CaseIterable, Sendable {
    case phoneA, phoneB
    /// A third program, which edits the list directly on the server.
    case other

    var name: String {
        switch self {
        case .phoneA: "phone A"
        case .phoneB: "phone B"
        case .other: "another program"
        }
    }

    var phone: Int? {
        switch self {
        case .phoneA: 0
        case .phoneB: 1
        case .other: nil
        }
    }
}

/// An event in the simulation of two phones and a calendar server. A `pick` selects one of the items that the editor
/// sees.
enum CalendarEvent: SimulationEvent {
    case add(by: ListEditor, count: Int)
    /// Checks an item off. The time of the check-off is `ago` seconds before the event, because a watch may deliver a
    /// check-off late.
    case check(by: ListEditor, pick: Int, ago: Int)
    case uncheck(by: ListEditor, pick: Int)
    case rename(by: ListEditor, pick: Int)
    case remove(by: ListEditor, pick: Int)
    case sync(phone: Int)

    // Faults of the connection and of the server.
    /// Cuts a phone off from the server for this time.
    case part(phone: Int, milliseconds: Int)
    /// Applies a fault to the next request with this method, or to the next request of any kind if the method is nil.
    case answer(InMemoryCalendarServer.Fault, to: HTTPRequest.Method?)
    /// Sets how long each request and each answer takes from now on.
    case delay(milliseconds: Int)
    case forgetTokens
    /// Copies all items of the server.
    case copy
    /// Replaces the items of the server with the last copy.
    case restore
    /// Lets the third program replace an item's text on the server with the item's previous text.
    case overwrite(pick: Int)
    /// Removes the collection from the server for this time.
    case hide(milliseconds: Int)

    // Faults of a phone.
    case computer(phone: Int, fault: ComputerFault)
}

struct CalendarCast: Codable, Equatable, Sendable {
    /// How the server makes ETags: from a counter, or from a hash of the text, as Radicale and Xandikos do.
    var versions: InMemoryCalendarServer.Naming
}
