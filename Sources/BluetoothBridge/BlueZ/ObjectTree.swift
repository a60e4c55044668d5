struct ObjectTree: Hashable, Sendable {
    typealias Properties = [String: BusValue]

    private var objects: [String: [String: Properties]] = [:]
    private var arrivals: [String: Int] = [:]

    init() {}

    init(_ body: [BusValue]) throws(BluetoothError) {
        guard let found = body.first?.fields else { throw .unexpectedAnswer("GetManagedObjects") }
        for (path, interfaces) in found { add(path, interfaces.fields ?? [:]) }
    }

    subscript(path: String, interface: String) -> Properties? { objects[path]?[interface] }

    /// Returns how many times an adapter has appeared at `path` since bluetoothd's objects were loaded; nil if none is
    /// there now. An adapter that is plugged in again may get its old path, but the number differs.
    func arrival(ofAdapterAt path: String) -> Int? {
        objects[path]?[BlueZ.adapter] == nil ? nil : arrivals[path]
    }

    func paths(with interface: String, below path: String) -> [String] {
        objects.filter { $0.value[interface] != nil && $0.key.hasPrefix(path + "/") }.keys.sorted()
    }

    /// Updates the objects from a signal of bluetoothd. Ignores a signal that is malformed, or that is not about objects or
    /// their properties.
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
            // An unknown object is ignored: its InterfacesAdded will contain everything.
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

extension ObjectTree {
    var adapters: [BluetoothAdapter] {
        paths(with: BlueZ.adapter, below: BlueZ.manager).compactMap { path in
            adapter(String(path.dropFirst(BlueZ.manager.count + 1)))
        }
    }

    func adapter(_ name: String) -> BluetoothAdapter? {
        guard let properties = self[BlueZ.path(ofAdapter: name), BlueZ.adapter],
            let address = properties["Address"]?.text.flatMap(BluetoothAddress.init)
        else { return nil }
        return BluetoothAdapter(
            name: name, address: address, alias: properties["Alias"]?.text ?? name,
            isOn: properties["Powered"]?.truth == true, isPairable: properties["Pairable"]?.truth == true)
    }

    func devices(on adapter: String) -> [BluetoothDevice] {
        paths(with: BlueZ.device, below: BlueZ.path(ofAdapter: adapter)).compactMap(device)
    }

    func device(at path: String) -> BluetoothDevice? {
        guard let properties = self[path, BlueZ.device],
            let address = properties["Address"]?.text.flatMap(BluetoothAddress.init)
        else { return nil }
        let kind: BluetoothAddressKind = properties["AddressType"]?.text == "random" ? .random : .public
        let isPaired = properties["Paired"]?.truth == true
        // BlueZ before 5.65 has no property `Bonded`.
        let isBonded = properties["Bonded"]?.truth ?? isPaired
        // A resolved device counts as connected even if `Connected` is false. If the kernel still had a connection to the
        // device when bluetoothd started, BlueZ 5.66 does not report the device's next connection as connected.
        let isResolved = properties["ServicesResolved"]?.truth == true
        let isConnected = properties["Connected"]?.truth == true
        return BluetoothDevice(
            peer: BluetoothPeer(address, kind), name: properties["Name"]?.text.flatMap(\.printable),
            presence: presence(properties["RSSI"]?.number), trust: isBonded ? .bonded : isPaired ? .paired : .stranger,
            isBlocked: properties["Blocked"]?.truth == true,
            connection: isResolved ? .resolved : isConnected ? .connected : .none,
            services: Set((properties["UUIDs"]?.texts ?? []).map(BluetoothUUID.init)))
    }

    /// Converts the `RSSI` property of a device, in dBm. BlueZ leaves it out if no discovery has found the device. 127
    /// means that the strength is unknown (Core Specification 5.4, volume 4, part E, section 7.7.65.2).
    private func presence(_ strength: Int?) -> BluetoothDevice.Presence {
        guard let strength else { return .unheard }
        return .heard(signalStrength: strength == 127 ? nil : strength)
    }

    func characteristic(_ uuid: BluetoothUUID, in service: BluetoothUUID, of device: String) -> String? {
        paths(with: BlueZ.gattCharacteristic, below: device).first { path in
            guard let properties = self[path, BlueZ.gattCharacteristic], let owner = properties["Service"]?.text else {
                return false
            }
            return properties["UUID"]?.text?.lowercased() == uuid.rawValue
                && self[owner, BlueZ.gattService]?["UUID"]?.text?.lowercased() == service.rawValue
        }
    }
}

extension String {
    /// The text without characters that could control a terminal, such as escape characters; nil if nothing is left. A
    /// device chooses its own name, so the name cannot be trusted.
    var printable: String? {
        let scalars = unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
            default: true
            }
        }
        return scalars.isEmpty ? nil : String(String.UnicodeScalarView(scalars))
    }
}
