/// An object of this process that other programs on the bus can call.
struct BusExport: Sendable {
    /// Answers a call: exactly once, from any thread, at any time.
    typealias Answer = @Sendable (Result<[BusValue], BusFault>) -> Void

    /// Its present properties, by interface and name.
    var properties: @Sendable () -> [String: [String: BusValue]]
    /// Handles calls other than those for properties, in order, on the thread of the bus: it must not block.
    var call: @Sendable (BusIncomingCall, @escaping Answer) -> Void

    /// An object with properties and no methods.
    static func passive(_ interfaces: @escaping @Sendable () -> [String: [String: BusValue]]) -> BusExport {
        BusExport(properties: interfaces) { call, answer in answer(.failure(.unknownMethod(call))) }
    }

    /// The same object, called by those senders alone for which `mayCall` holds. Everybody may read its properties.
    func reserved(for mayCall: @escaping @Sendable (_ sender: String) -> Bool) -> BusExport {
        BusExport(properties: properties) { [call] incoming, answer in
            guard mayCall(incoming.sender) else {
                return answer(.failure(.foreignCaller(incoming)))
            }
            call(incoming, answer)
        }
    }
}

/// The objects of this process, with the standard interfaces (D-Bus Specification 0.42, "Standard Interfaces").
struct BusExports {
    private var objects: [String: BusExport] = [:]

    subscript(path: String) -> BusExport? {
        get { objects[path] }
        set { objects[path] = newValue }
    }

    func handle(_ call: BusIncomingCall, _ answer: @escaping BusExport.Answer) {
        guard let object = objects[call.path] else { return answer(.failure(.unknownObject(call))) }
        switch call.interface {
        case "org.freedesktop.DBus.Properties" where call.member != "Set": answer(property(of: object, call))
        case "org.freedesktop.DBus.ObjectManager" where call.member == "GetManagedObjects" && manages(call.path):
            answer(.success([managedObjects(below: call.path)]))
        default: object.call(call, answer)
        }
    }

    private func property(of object: BusExport, _ call: BusIncomingCall) -> Result<[BusValue], BusFault> {
        let interfaces = object.properties()
        guard let interface = call.body.first?.text else { return .failure(.invalidArguments) }
        switch call.member {
        case "GetAll": return .success([.named(interfaces[interface] ?? [:])])
        case "Get":
            guard call.body.count > 1, let name = call.body[1].text, let value = interfaces[interface]?[name] else {
                return .failure(.invalidArguments)
            }
            return .success([.variant(value)])
        default: return .failure(.unknownMethod(call))
        }
    }

    /// Whether there are objects below a path, which makes it an object manager.
    private func manages(_ path: String) -> Bool { objects.keys.contains { BusExports.lies($0, below: path) } }

    private static func lies(_ path: String, below other: String) -> Bool {
        path != other && path.hasPrefix(other == "/" ? other : other + "/")
    }

    private func managedObjects(below path: String) -> BusValue {
        var found: [BusValue: BusValue] = [:]
        for (place, object) in objects where BusExports.lies(place, below: path) {
            var interfaces: [BusValue: BusValue] = [:]
            for (name, properties) in object.properties() { interfaces[.string(name)] = .named(properties) }
            found[.objectPath(place)] = .dictionary(keys: "s", values: "a{sv}", interfaces)
        }
        return .dictionary(keys: "o", values: "a{sa{sv}}", found)
    }
}
