/// The objects of bluetoothd with their properties.
struct ObjectTree: Hashable, Sendable {
    typealias Properties = [String: BusValue]

    private var objects: [String: [String: Properties]] = [:]
    private var arrivals: [String: Int] = [:]

    init() {}

    /// The tree in the answer of GetManagedObjects.
    ///
    /// - Throws: `.unexpectedAnswer`.
    init(_ body: [BusValue]) throws(BluetoothError) {
        guard let found = body.first?.fields else { throw .unexpectedAnswer("GetManagedObjects") }
        for (path, interfaces) in found { add(path, interfaces.fields ?? [:]) }
    }

    /// The properties of an object's interface; nil where there is no such object or it has no such interface.
    subscript(path: String, interface: String) -> Properties? { objects[path]?[interface] }

    /// How often the adapter at a path has appeared since bluetoothd was asked: an adapter that is plugged in again may
    /// have the old path. Nil where it is not there.
    func arrival(ofAdapterAt path: String) -> Int? {
        objects[path]?[BlueZ.adapter] == nil ? nil : arrivals[path]
    }

    /// The paths of the objects that have an interface and lie below a path, in order.
    func paths(with interface: String, below path: String) -> [String] {
        objects.filter { $0.value[interface] != nil && $0.key.hasPrefix(path + "/") }.keys.sorted()
    }

    /// Applies a signal. A signal that does not concern objects, or cannot be read, changes nothing.
    mutating func apply(_ signal: BusSignal) {
        switch (signal.interface, signal.member) {
        case (BlueZ.objectManager, "InterfacesAdded"):
            guard signal.body.count == 2, let path = signal.body[0].text, let found = signal.body[1].fields else {
                return
            }
            add(path, found)
        case (BlueZ.objectManager, "InterfacesRemoved"):
            guard signal.body.count == 2, let path = signal.body[0].text, let names = signal.body[1].texts else {
                return
            }
            for name in names { objects[path]?[name] = nil }
            if objects[path]?.isEmpty == true { objects[path] = nil }
        case (BlueZ.properties, "PropertiesChanged"):
            guard signal.body.count == 3, let interface = signal.body[0].text, let changed = signal.body[1].fields,
                let gone = signal.body[2].texts
            else { return }
            // For an unknown object nothing is stored: its InterfacesAdded will contain everything.
            guard objects[signal.path]?[interface] != nil else { return }
            objects[signal.path]?[interface]?.merge(changed) { _, new in new }
            for name in gone { objects[signal.path]?[interface]?[name] = nil }
        default: break
        }
    }

    private mutating func add(_ path: String, _ interfaces: [String: BusValue]) {
        if interfaces[BlueZ.adapter] != nil, objects[path]?[BlueZ.adapter] == nil { arrivals[path, default: 0] += 1 }
        for (name, properties) in interfaces { objects[path, default: [:]][name] = properties.fields ?? [:] }
    }
}
