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
            power: properties["Powered"]?.truth == true ? .on : .off,
            pairing: properties["Pairable"]?.truth == true ? .on : .off)
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
        // BlueZ before 5.65 has no such property.
        let isBonded = properties["Bonded"]?.truth ?? isPaired
        // Resolved implies connected: where the kernel still had a connection when bluetoothd started, BlueZ 5.66 does not
        // report the next one as connected.
        let isResolved = properties["ServicesResolved"]?.truth == true
        let isConnected = properties["Connected"]?.truth == true
        return BluetoothDevice(
            peer: BluetoothPeer(address, kind), name: properties["Name"]?.text.flatMap(\.printable),
            presence: presence(properties["RSSI"]?.number), trust: isBonded ? .bonded : isPaired ? .paired : .stranger,
            admission: properties["Blocked"]?.truth == true ? .blocked : .admitted,
            connection: isResolved ? .resolved : isConnected ? .connected : .none,
            services: Set((properties["UUIDs"]?.texts ?? []).map(BluetoothUUID.init)))
    }

    /// A signal strength of 127 means unknown (Core Specification 5.4, volume 4, part E, section 7.7.65.2).
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
    /// The text without characters that control a terminal, because a device chooses its own name; nil where nothing is
    /// left.
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
