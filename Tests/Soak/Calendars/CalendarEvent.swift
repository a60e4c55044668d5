import CalDAV
import TestDoubles

/// An editor of the list that two phones share on a calendar server.
enum ListEditor: String, Codable, CaseIterable, Sendable {
    case phoneA, phoneB
    /// A third program, on the server itself.
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

/// What happens to two phones and a calendar server. A `pick` chooses among the items that the editor sees.
enum CalendarEvent: SimulationEvent {
    case add(by: ListEditor, count: Int)
    /// Checks off an item, as of some seconds ago: a watch may bring it late.
    case check(by: ListEditor, pick: Int, ago: Int)
    case uncheck(by: ListEditor, pick: Int)
    case rename(by: ListEditor, pick: Int)
    case remove(by: ListEditor, pick: Int)
    /// A phone begins a sync, unless one runs already.
    case sync(phone: Int)

    // What goes wrong on the way to the server, and there.
    /// A phone has no connection for a while.
    case part(phone: Int, milliseconds: Int)
    /// The server gives this answer to the next request of the method, or to the next request.
    case answer(InMemoryCalendarServer.Fault, to: HTTPRequest.Method?)
    /// A request and its answer take this long each from now on.
    case delay(milliseconds: Int)
    case forgetTokens
    /// All items of the server are copied.
    case copy
    /// The last copy is put back on the server.
    case restore
    /// The third program writes what it has read earlier over an item.
    case overwrite(pick: Int)
    /// The server has no collection for a while.
    case hide(milliseconds: Int)

    // What goes wrong with a phone.
    case computer(phone: Int, fault: ComputerFault)
}

struct CalendarCast: Codable, Equatable, Sendable {
    /// The server's version names. Radicale and Xandikos hash the text.
    var versions: InMemoryCalendarServer.Naming
}
