/// The objects that bluetoothd shows, with their properties, as it has told of them.
struct ObjectTree: Hashable, Sendable {
    /// Properties by name.
    typealias Properties = [String: BusValue]

    private var objects: [String: [String: Properties]] = [:]
    private var arrivals: [String: Int] = [:]

    /// A tree without objects.
    init() {}

    /// The tree that GetManagedObjects answers with.
    ///
    /// - Throws: `.unexpectedAnswer`.
    init(_ body: [BusValue]) throws(BluetoothError) {
        guard let found = body.first?.fields else { throw .unexpectedAnswer("GetManagedObjects") }
        for (path, interfaces) in found { add(path, interfaces.fields ?? [:]) }
    }

    /// The properties of an object's interface; nil where there is no such object or it has no such interface.
    subscript(path: String, interface: String) -> Properties? { objects[path]?[interface] }

    /// How often the adapter at a path has come since bluetoothd was asked: one that is plugged in anew is another one,
    /// though it may have the old path. Nil where it is not there.
    func arrival(ofAdapterAt path: String) -> Int? {
        objects[path]?[BlueZ.adapter] == nil ? nil : arrivals[path]
    }

    /// The paths of the objects that have an interface and lie below a path, in order.
    func paths(with interface: String, below path: String) -> [String] {
        objects.filter { $0.value[interface] != nil && $0.key.hasPrefix(path + "/") }.keys.sorted()
    }

    /// Takes in what a signal tells. What is no news of objects, or cannot be read, changes nothing.
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
            // Of an object that is not known yet nothing is kept: its InterfacesAdded will tell all.
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
