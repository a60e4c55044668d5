import HostSystem
import WatchLink

extension BlueZControl {
    /// Connects to a device, and waits until its services are known.
    public func connect(to peer: BluetoothPeer, on adapter: String) async throws(BluetoothError) {
        _ = try await poweredOn(adapter)
        await scansEnded()
        let path = BlueZ.path(of: peer.address, on: adapter)
        let subject = BluetoothError.Subject.device(peer.address, adapter: adapter)
        let end = link.clock.now + .seconds(15)
        repeat {
            // BlueZ may be connecting to a bonded device by itself at the same time.
            try await patiently(within: .seconds(5), about: subject) { [link] () throws(BluetoothError) in
                do throws(BluetoothError) {
                    try await link.call(path, BlueZ.device, "Connect", within: .seconds(45))
                } catch .refused("org.bluez.Error.AlreadyConnected", _) {
                    // The device is connected, as requested.
                } catch {
                    throw error
                }
            }
            if try await isResolved(peer, on: adapter, before: end) { return }
        } while link.clock.now < end
        // A connection without an answer is of no use to the next attempt.
        try? await disconnect(from: peer, on: adapter)
        throw .outOfReach(peer.address)
    }

    /// Waits until BlueZ knows the services of a connected device.
    ///
    /// - Returns: false where the time is over, and where the connection has ended. It may end at once: two seconds after a
    ///   bluetoothd was killed the kernel ends the links that it had, while the next daemon takes such a link for the new one.
    private func isResolved(
        _ peer: BluetoothPeer, on adapter: String, before end: Instant
    ) async throws(BluetoothError) -> Bool {
        let path = BlueZ.path(of: peer.address, on: adapter)
        while link.clock.now < end {
            let isResolved = try await link.wait(within: .milliseconds(500)) { tree in
                tree.device(at: path)?.connection == .resolved ? true : nil
            }
            if isResolved != nil { return true }
            // Not by what BlueZ says: of a link that is older than its daemon it says that there is none.
            if let local = try? LocalAdapter.named(adapter), !KernelCalls.isLinked(local, to: peer.address) {
                return false
            }
        }
        return false
    }

    /// Ends the connection to a device, if there is one.
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

    /// The PSM of the channel of a connected watch.
    public func channelNumber(of peer: BluetoothPeer, on adapter: String) async throws(BluetoothError) -> UInt16 {
        let bytes = try await value(of: .channelNumber, in: .tapline, of: peer, on: adapter)
        guard bytes.count == 2 else { throw .unexpectedAnswer("the PSM has \(CountText(bytes.count, "byte"))") }
        return UInt16(bytes[0]) | UInt16(bytes[1]) << 8
    }

    /// Reads a characteristic of a connected device.
    ///
    /// - Throws: `.noService` where it has no such characteristic; `.outOfReach` where it is not connected.
    func value(
        of characteristic: BluetoothUUID, in service: BluetoothUUID, of peer: BluetoothPeer, on adapter: String
    ) async throws(BluetoothError) -> [UInt8] {
        let device = BlueZ.path(of: peer.address, on: adapter)
        guard try await link.tree().device(at: device)?.connection == .resolved else { throw .outOfReach(peer.address) }
        // BlueZ counts the stored services of a bonded device as known; where they have changed, the rest comes later.
        let found = try await link.wait(within: .seconds(2)) {
            $0.characteristic(characteristic, in: service, of: device)
        }
        guard let path = found else { throw .noService(peer.address) }
        do throws(BluetoothError) {
            let body = try await link.call(path, BlueZ.gattCharacteristic, "ReadValue", [.named([:])])
            guard let bytes = body.first?.octets else { throw .unexpectedAnswer("ReadValue") }
            return bytes
        } catch {
            throw error.about(.device(peer.address, adapter: adapter))
        }
    }
}
