extension BlueZControl {
    /// As `BluetoothControl` says.
    public func connect(to peer: BluetoothPeer, on adapter: String) async throws(BluetoothError) {
        _ = try await poweredOn(adapter)
        await scansEnded()
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

    /// As `BluetoothControl` says.
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

    /// As `BluetoothControl` says.
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
}
