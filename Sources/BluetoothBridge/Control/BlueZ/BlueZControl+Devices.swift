extension BlueZControl {
    public func connect(to peer: BluetoothPeer, on adapter: String) async throws(BluetoothError) {
        _ = try await poweredOn(adapter)
        let path = BlueZ.path(of: peer.address, on: adapter)
        do {
            try await link.call(path, BlueZ.device, "Connect", within: .seconds(45))
        } catch .refused("org.bluez.Error.AlreadyConnected", _) {
            // That is all that was asked for.
        } catch {
            throw error.about(.device(peer.address, adapter: adapter))
        }
        let isResolved = try await link.wait(within: .seconds(15)) {
            $0.device(at: path)?.connection == .resolved ? true : nil
        }
        guard isResolved != nil else { throw .outOfReach(peer.address) }
    }

    public func disconnect(from peer: BluetoothPeer, on adapter: String) async throws(BluetoothError) {
        _ = try await known(adapter)
        let path = BlueZ.path(of: peer.address, on: adapter)
        guard try await link.tree().device(at: path)?.isConnected == true else { return }
        do {
            try await link.call(path, BlueZ.device, "Disconnect")
        } catch .refused("org.bluez.Error.NotConnected", _) {
            return
        } catch {
            throw error.about(.device(peer.address, adapter: adapter))
        }
        _ = try await link.wait(within: .seconds(5)) { tree in
            tree.device(at: path)?.isConnected == true ? nil : true
        }
    }

    public func channelNumber(of peer: BluetoothPeer, on adapter: String) async throws(BluetoothError) -> UInt16 {
        let bytes = try await value(of: .channelNumber, in: .tapline, of: peer, on: adapter)
        guard bytes.count == 2 else { throw .unexpectedAnswer("the PSM has \(bytes.count) bytes") }
        return UInt16(bytes[0]) | UInt16(bytes[1]) << 8
    }

    /// Reads a characteristic of a connected device.
    ///
    /// - Throws: `.noService` where it has no such; `.outOfReach` where it is not connected.
    func value(
        of characteristic: BluetoothUUID, in service: BluetoothUUID, of peer: BluetoothPeer, on adapter: String
    ) async throws(BluetoothError) -> [UInt8] {
        let device = BlueZ.path(of: peer.address, on: adapter)
        let tree = try await link.tree()
        guard tree.device(at: device)?.connection == .resolved else { throw .outOfReach(peer.address) }
        guard let path = tree.characteristic(characteristic, in: service, of: device) else {
            throw .noService(peer.address)
        }
        do throws(BluetoothError) {
            let body = try await link.call(path, BlueZ.gattCharacteristic, "ReadValue", [.named([:])])
            guard let bytes = body.first?.octets else { throw .unexpectedAnswer("ReadValue") }
            return bytes
        } catch {
            throw error.about(.device(peer.address, adapter: adapter))
        }
    }

    public func discover(_ service: BluetoothUUID, on adapter: String, for limit: Duration) -> BluetoothDiscovery {
        discover(.some(service), on: adapter, for: limit)
    }

    /// Looks for devices that advertise a service, or for all.
    func discover(_ service: BluetoothUUID?, on adapter: String, for limit: Duration) -> BluetoothDiscovery {
        let (stream, continuation) = AsyncStream.makeStream(of: BluetoothDiscovery.Event.self)
        let work = Task {
            do throws(BluetoothError) {
                try await look(for: service, on: adapter, within: limit) { continuation.yield(.success($0)) }
            } catch {
                if error != .cancelled { continuation.yield(.failure(error)) }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in work.cancel() }
        return BluetoothDiscovery(stream)
    }

    private func look(
        for service: BluetoothUUID?, on adapter: String, within limit: Duration,
        _ found: @escaping @Sendable (BluetoothDevice) -> Void
    ) async throws(BluetoothError) {
        _ = try await poweredOn(adapter)
        let path = BlueZ.path(ofAdapter: adapter)
        var filter: [String: BusValue] = ["Transport": .string("le")]
        if let service { filter["UUIDs"] = .strings([service.rawValue]) }
        let wanted = BusValue.named(filter)
        try await patiently(within: .seconds(5), about: .adapter(adapter)) { [link] () throws(BluetoothError) in
            try await link.call(path, BlueZ.adapter, "SetDiscoveryFilter", [wanted])
            try await link.call(path, BlueZ.adapter, "StartDiscovery")
        }
        let sighted = Published<[String: BluetoothDevice]>([:])
        let result: Result<Bool?, BluetoothError>
        do throws(BluetoothError) {
            // The tree is looked at whenever it changes; the wait as such never ends but with its time.
            result = .success(
                try await link.wait(within: limit) { tree in
                    for device in tree.devices(on: adapter) where device.signalStrength != nil {
                        guard service == nil || service.map(device.services.contains) == true else { continue }
                        let place = BlueZ.path(of: device.peer.address, on: adapter)
                        guard sighted.value[place] != device else { continue }
                        sighted.update { $0[place] = device }
                        found(device)
                    }
                    return nil
                })
        } catch {
            result = .failure(error)
        }
        let bus = link.bus
        await Task {
            _ = try? await bus.call(
                BusCall(destination: BlueZ.name, path: path, interface: BlueZ.adapter, member: "StopDiscovery"))
        }.value
        _ = try result.get()
    }
}
