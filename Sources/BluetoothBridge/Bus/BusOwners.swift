/// Which connection has which name on the bus, as the bus itself says: a signal says only from which connection it is.
struct BusOwners: Hashable, Sendable {
    /// The owners of names that are asked for; a name without an owner, or before the first answer, has none.
    private var owners: [String: String] = [:]
    /// The names asked for and not answered yet, by the cookie of the question.
    private var questions: [UInt64: String] = [:]

    /// Whether a name stands for a connection by itself: a unique name, and that of the bus, which nobody else can send under.
    static func isFixed(_ name: String) -> Bool { name == SystemBus.name || name.hasPrefix(":") }

    /// The match that follows the owner of a name.
    static func match(of name: String) -> BusMatch {
        BusMatch(
            sender: SystemBus.name, interface: SystemBus.name, member: "NameOwnerChanged", firstArgument: name)
    }

    /// The call that asks who has a name.
    static func question(about name: String) -> BusCall {
        BusCall(
            destination: SystemBus.name, path: "/org/freedesktop/DBus", interface: SystemBus.name,
            member: "GetNameOwner", body: [.string(name)])
    }

    /// Whether a message from the connection `sender` is from whoever has the name.
    func has(_ sender: String?, _ name: String) -> Bool {
        guard let sender else { return false }
        return sender == (BusOwners.isFixed(name) ? name : owners[name])
    }

    /// Notes that the question about a name was sent with a cookie.
    mutating func ask(about name: String, cookie: UInt64) {
        questions[cookie] = name
    }

    /// Takes in the answer to a question, the owner or nil.
    ///
    /// - Returns: whether the cookie is that of a question.
    mutating func take(_ owner: String?, cookie: UInt64) -> Bool {
        guard let name = questions.removeValue(forKey: cookie) else { return false }
        owners[name] = owner
        return true
    }

    /// Takes in a signal, which may be about an owner.
    mutating func take(_ signal: BusSignal) {
        guard signal.sender == SystemBus.name, signal.interface == SystemBus.name, signal.member == "NameOwnerChanged",
            signal.body.count == 3, let name = signal.body[0].text, let owner = signal.body[2].text
        else { return }
        owners[name] = owner.isEmpty ? nil : owner
    }
}
