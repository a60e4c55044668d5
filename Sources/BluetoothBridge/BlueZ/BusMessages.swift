struct BusCall: Hashable, Sendable {
    var destination: String
    var path: String
    var interface: String
    var member: String
    var body: [BusValue] = []
}

struct BusIncomingCall: Hashable, Sendable {
    struct Number: Hashable, Sendable {
        /// The connection, counted from 1.
        var connection: UInt64
        var call: UInt64
    }

    var number: Number
    var sender: String
    var path: String
    /// Nil if the caller omitted it.
    var interface: String?
    var member: String
    var body: [BusValue]
}

struct BusSignal: Hashable, Sendable {
    /// The sender's unique name on the bus; nil for a signal of ours.
    var sender: String?
    var path: String
    var interface: String
    var member: String
    var body: [BusValue]
}

struct BusFault: Error, Hashable, Sendable {
    /// Such as `org.bluez.Error.Rejected`.
    var name: String
    /// Text for a person; may be empty.
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
    /// The answer to the call of this cookie.
    case answer(to: UInt64, [BusValue])
    case fault(to: UInt64, BusFault)
    /// The answer to the call of this cookie has an argument that cannot be read.
    case unreadable(to: UInt64)
    case signal(BusSignal)
    case call(BusIncomingCall)
    /// A message that the library has handled, or one that does not concern us.
    case housekeeping
    case nothing
}

struct BusMatch: Hashable, Sendable {
    /// A name on the bus, unique or not; nil for anybody on it, whose signals are claims.
    var sender: String?
    var interface: String
    /// Nil for all signals of the interface.
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

    /// Whether the filter accepts a signal. The bus checks the sender of what the rule is for, but delivers a signal that is
    /// addressed to this connection alone whatever the rules are.
    func fits(_ signal: BusSignal, _ owners: BusOwners) -> Bool {
        if let sender, !owners.has(signal.sender, sender) { return false }
        guard signal.interface == interface, member == nil || signal.member == member else { return false }
        return firstArgument == nil || signal.body.first?.text == firstArgument
    }
}

enum BusCondition: Hashable, Sendable {
    case connected
    case lost(BluetoothError)
}

/// Which connection has which name on the bus, as the bus itself says: a signal says only from which connection it is.
struct BusOwners: Hashable, Sendable {
    /// The owners of names that are asked for; a name without an owner, or before the first answer, has none.
    private var owners: [String: String] = [:]
    /// The names asked for and not answered yet, by the cookie of the question.
    private var questions: [UInt64: String] = [:]

    /// Whether a name stands for a connection by itself: a unique name, and that of the bus, which nobody else can send under.
    static func isFixed(_ name: String) -> Bool { name == SystemBus.name || name.hasPrefix(":") }

    static func match(of name: String) -> BusMatch {
        BusMatch(
            sender: SystemBus.name, interface: SystemBus.name, member: "NameOwnerChanged", firstArgument: name)
    }

    static func question(about name: String) -> BusCall {
        BusCall(
            destination: SystemBus.name, path: "/org/freedesktop/DBus", interface: SystemBus.name,
            member: "GetNameOwner", body: [.string(name)])
    }

    /// Whether the connection `sender` owns the name.
    func has(_ sender: String?, _ name: String) -> Bool {
        guard let sender else { return false }
        return sender == (BusOwners.isFixed(name) ? name : owners[name])
    }

    mutating func ask(about name: String, cookie: UInt64) {
        questions[cookie] = name
    }

    /// Takes in the owner, or nil, if the cookie is that of a question.
    ///
    /// - Returns: whether it is.
    mutating func take(_ owner: String?, cookie: UInt64) -> Bool {
        guard let name = questions.removeValue(forKey: cookie) else { return false }
        owners[name] = owner
        return true
    }

    mutating func take(_ signal: BusSignal) {
        guard signal.sender == SystemBus.name, signal.interface == SystemBus.name, signal.member == "NameOwnerChanged",
            signal.body.count == 3, let name = signal.body[0].text, let owner = signal.body[2].text
        else { return }
        owners[name] = owner.isEmpty ? nil : owner
    }
}
