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
    /// The number that an answer uses to identify this call. No other call to the same `SystemBus` has this number, even
    /// over a later connection.
    var number: UInt64
    var sender: String
    var path: String
    /// The interface of the method; nil if the caller omitted it, as D-Bus allows.
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
    /// The answer to the call with this cookie, the D-Bus serial number that `BusLibrary.send` returned.
    case answer(to: UInt64, [BusValue])
    case fault(to: UInt64, BusFault)
    /// The call with this cookie was answered, but the arguments of the answer cannot be read as `BusValue`s.
    case unreadable(to: UInt64)
    case signal(BusSignal)
    case call(BusIncomingCall)
    /// sd-bus did internal work, such as a step of connecting, or received a message of an unknown type. Further messages
    /// may be ready.
    case housekeeping
    case nothing
}

struct BusMatch: Hashable, Sendable {
    /// The sender's unique or well-known name. If nil, signals of any program fit, so the listener must not trust what they
    /// say.
    var sender: String?
    var interface: String
    /// The name of the signal; nil for all signals of the interface.
    var member: String?
    var firstArgument: String?

    /// The match as text for the bus's `AddMatch` (D-Bus Specification 0.42, "Match Rules").
    var rule: String {
        var parts = ["type='signal'", "interface='\(interface)'"]
        if let sender { parts.append("sender='\(sender)'") }
        if let member { parts.append("member='\(member)'") }
        if let firstArgument { parts.append("arg0='\(firstArgument)'") }
        return parts.joined(separator: ",")
    }

    /// Whether a signal fits the match. The bus also delivers signals that do not fit, because they fit another match
    /// or are addressed to this connection. This function checks the signal's sender only if the match's `sender` is
    /// `SystemBus.name`. Otherwise the listener must check who sent the signal.
    func fits(_ signal: BusSignal) -> Bool {
        if sender == SystemBus.name, signal.sender != sender { return false }
        guard signal.interface == interface, member == nil || signal.member == member else { return false }
        return firstArgument == nil || signal.body.first?.text == firstArgument
    }
}
