struct BusCall: Hashable, Sendable {
    var destination: String
    var path: String
    var interface: String
    var member: String
    var body: [BusValue] = []

    static func ofBus(_ member: String, _ body: BusValue...) -> BusCall {
        BusCall(
            destination: SystemBus.name, path: "/org/freedesktop/DBus", interface: SystemBus.name, member: member,
            body: body)
    }
}

struct BusIncomingCall: Hashable, Sendable {
    /// The number of the call, unique over all connections to a bus.
    var number: UInt64
    var sender: String
    var path: String
    /// Nil if the caller omitted it.
    var interface: String?
    var member: String
    var body: [BusValue]
}

struct BusSignal: Hashable, Sendable {
    /// The sender's unique name on the bus; nil for a signal that this process sends.
    var sender: String?
    var path: String
    var interface: String
    var member: String
    var body: [BusValue]
}

struct BusFault: Error, Hashable, Sendable {
    /// The name of the error, such as `org.bluez.Error.Rejected`.
    var name: String
    var message: String
}

extension BusFault {
    static func unknownMethod(_ call: BusIncomingCall) -> BusFault {
        BusFault(name: "org.freedesktop.DBus.Error.UnknownMethod", message: "no method \(call.member) here")
    }

    static func unknownObject(_ call: BusIncomingCall) -> BusFault {
        BusFault(name: "org.freedesktop.DBus.Error.UnknownObject", message: "no object \(call.path) here")
    }

    static func foreignCaller(_ call: BusIncomingCall) -> BusFault {
        BusFault(name: "org.freedesktop.DBus.Error.AccessDenied", message: "\(call.sender) may not call \(call.member)")
    }

    static let invalidArguments = BusFault(
        name: "org.freedesktop.DBus.Error.InvalidArgs", message: "other arguments were expected")
}

enum BusArrival: Hashable, Sendable {
    /// The answer to the call with this cookie.
    case answer(to: UInt64, [BusValue])
    case fault(to: UInt64, BusFault)
    /// The call with this cookie has an unreadable answer.
    case unreadable(to: UInt64)
    case signal(BusSignal)
    case call(BusIncomingCall)
    /// A message that the library has handled, or that is not for us.
    case housekeeping
    case nothing
}

struct BusMatch: Hashable, Sendable {
    /// The sender's unique or well-known name. If nil, any program can send the signal, so the signal proves nothing.
    var sender: String?
    var interface: String
    /// The name of the signal; nil for all signals of the interface.
    var member: String?
    var firstArgument: String?

    /// The match rule for the bus (D-Bus Specification 0.42, "Match Rules").
    var rule: String {
        var parts = ["type='signal'", "interface='\(interface)'"]
        if let sender { parts.append("sender='\(sender)'") }
        if let member { parts.append("member='\(member)'") }
        if let firstArgument { parts.append("arg0='\(firstArgument)'") }
        return parts.joined(separator: ",")
    }

    /// Whether a signal fits the match. The bus also delivers signals that match no rule, if they are addressed to this
    /// connection. Unless `sender` is the bus, it is not compared: the listener has to check who owns the name `sender`.
    func fits(_ signal: BusSignal) -> Bool {
        if sender == SystemBus.name, signal.sender != sender { return false }
        guard signal.interface == interface, member == nil || signal.member == member else { return false }
        return firstArgument == nil || signal.body.first?.text == firstArgument
    }
}
