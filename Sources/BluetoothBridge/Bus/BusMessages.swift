/// A method call that is made of somebody on the bus.
struct BusCall: Hashable, Sendable {
    /// The name on the bus that the call goes to.
    var destination: String
    /// The object.
    var path: String
    /// The interface that the method is of.
    var interface: String
    /// The method.
    var member: String
    /// Its arguments.
    var body: [BusValue] = []
}

/// A method call that somebody makes of an object of ours.
struct BusIncomingCall: Hashable, Sendable {
    /// Which of all calls that have come in it is; what the answer refers to.
    struct Number: Hashable, Sendable {
        /// The connection that it came by, counted from 1.
        var connection: UInt64
        /// The call among those of the connection.
        var call: UInt64
    }

    /// The number of the call.
    var number: Number
    /// Who calls: a unique name on the bus.
    var sender: String
    /// The object.
    var path: String
    /// The interface, or "" where the caller left it out.
    var interface: String
    /// The method.
    var member: String
    /// Its arguments.
    var body: [BusValue]
}

/// A signal, of somebody's or of ours.
struct BusSignal: Hashable, Sendable {
    /// Who sends it: a unique name on the bus; "" for one of ours.
    var sender = ""
    /// The object.
    var path: String
    /// The interface that the signal is of.
    var interface: String
    /// The signal.
    var member: String
    /// What it tells.
    var body: [BusValue]
}

/// An error as it travels on the bus.
struct BusFault: Error, Hashable, Sendable {
    /// The name of the error, such as `org.bluez.Error.Rejected`.
    var name: String
    /// What it says to a person; may be empty.
    var message: String
}

extension BusFault {
    static func unknownMethod(_ call: BusIncomingCall) -> BusFault {
        BusFault(name: "org.freedesktop.DBus.Error.UnknownMethod", message: "no method \(call.member) here")
    }

    static func unknownObject(_ call: BusIncomingCall) -> BusFault {
        BusFault(name: "org.freedesktop.DBus.Error.UnknownObject", message: "no object \(call.path) here")
    }

    static let invalidArguments = BusFault(
        name: "org.freedesktop.DBus.Error.InvalidArgs", message: "other arguments were expected")
}

/// What a bus has brought.
enum BusArrival: Hashable, Sendable {
    /// The answer to the call of this cookie.
    case answer(to: UInt64, [BusValue])
    /// The call of this cookie failed.
    case fault(to: UInt64, BusFault)
    /// The answer to the call of this cookie holds what cannot be read.
    case unreadable(to: UInt64)
    /// A signal.
    case signal(BusSignal)
    /// A call of an object of ours.
    case call(BusIncomingCall)
    /// Something between the library and the bus, or nothing that concerns us.
    case housekeeping
    /// There is nothing more for now.
    case nothing
}

/// Which signals are wanted.
struct BusMatch: Hashable, Sendable {
    /// The name of who sends them.
    var sender: String
    /// The interface that they are of.
    var interface: String
    /// The signal; nil for all of the interface.
    var member: String?
    /// Their first argument; nil for any.
    var firstArgument: String?

    /// The rule as the bus reads it (D-Bus Specification 0.42, "Match Rules").
    var rule: String {
        var parts = ["type='signal'", "sender='\(sender)'", "interface='\(interface)'"]
        if let member { parts.append("member='\(member)'") }
        if let firstArgument { parts.append("arg0='\(firstArgument)'") }
        return parts.joined(separator: ",")
    }

    /// Whether a signal is one of these; who it is from is for the bus to tell.
    func fits(_ signal: BusSignal) -> Bool {
        guard signal.interface == interface, member == nil || signal.member == member else { return false }
        return firstArgument == nil || signal.body.first?.text == firstArgument
    }
}

/// How it stands with the bus.
enum BusCondition: Hashable, Sendable {
    /// There is a connection.
    case connected
    /// There is none, and the error says why; it is tried again.
    case lost(BluetoothError)
}
