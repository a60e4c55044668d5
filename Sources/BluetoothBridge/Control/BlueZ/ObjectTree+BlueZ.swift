/// What the objects of bluetoothd are.
extension ObjectTree {
    /// The adapters, by name.
    var adapters: [BluetoothAdapter] {
        paths(with: BlueZ.adapter, below: BlueZ.manager).compactMap { path in
            adapter(String(path.dropFirst(BlueZ.manager.count + 1)))
        }
    }

    /// The adapter of a name.
    func adapter(_ name: String) -> BluetoothAdapter? {
        guard let properties = self[BlueZ.path(ofAdapter: name), BlueZ.adapter],
            let address = properties["Address"]?.text.flatMap(BluetoothAddress.init)
        else { return nil }
        return BluetoothAdapter(
            name: name, address: address, alias: properties["Alias"]?.text ?? name,
            power: properties["Powered"]?.truth == true ? .on : .off)
    }

    /// The devices that an adapter knows.
    func devices(on adapter: String) -> [BluetoothDevice] {
        paths(with: BlueZ.device, below: BlueZ.path(ofAdapter: adapter)).compactMap(device)
    }

    /// The device at a path.
    func device(at path: String) -> BluetoothDevice? {
        guard let properties = self[path, BlueZ.device],
            let address = properties["Address"]?.text.flatMap(BluetoothAddress.init)
        else { return nil }
        let kind: BluetoothAddressKind = properties["AddressType"]?.text == "random" ? .random : .public
        let isPaired = properties["Paired"]?.truth == true
        // BlueZ before 5.65 does not tell the one from the other.
        let isBonded = properties["Bonded"]?.truth ?? isPaired
        // Resolved says connected, too: where the kernel still had a connection when bluetoothd started, BlueZ 5.66
        // does not tell of the next one that the device is connected.
        let isResolved = properties["ServicesResolved"]?.truth == true
        let isConnected = properties["Connected"]?.truth == true
        return BluetoothDevice(
            peer: BluetoothPeer(address, kind), name: properties["Name"]?.text.flatMap(\.printable),
            presence: presence(properties["RSSI"]?.number), trust: isBonded ? .bonded : isPaired ? .paired : .stranger,
            connection: isResolved ? .resolved : isConnected ? .connected : .none,
            services: Set((properties["UUIDs"]?.texts ?? []).map(BluetoothUUID.init)))
    }

    /// What a signal strength says; 127 stands for one that is not known (Core Specification 5.4, volume 4, part E,
    /// section 7.7.65.2).
    private func presence(_ strength: Int?) -> BluetoothDevice.Presence {
        guard let strength else { return .unheard }
        return .heard(signalStrength: strength == 127 ? nil : strength)
    }

    /// The object of a characteristic in a service of a device.
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
    /// What of it can be shown on a terminal without doing anything there, or nil where nothing is left: a device calls
    /// itself what it likes.
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
