import HostSystem
import WatchLink

extension BlueZControl {
    /// How long a scan lasts before it is restarted. An adapter reports each device once in a scan, and Linux loses a report
    /// that arrives just as the scan starts. BlueZ itself restarts a scan only after 10 s. Three seconds are more than twice
    /// the interval at which BlueZ advertises, 1.28 s.
    private static let scan = Microseconds.seconds(3)

    /// Discovers devices nearby; see `BluetoothControl`.
    public func discover(
        _ service: BluetoothUUID?, on adapter: String, for limit: Microseconds,
        until isEnough: @escaping @Sendable (BluetoothDevice) -> Bool
    ) async throws(BluetoothError) -> [BluetoothDevice] {
        _ = try await poweredOn(adapter)
        let end = link.clock.now + limit
        let found = Published<[BluetoothPeer: BluetoothDevice]>([:])
        while link.clock.now < end {
            try await startScan(for: service, on: adapter)
            let left = min(end - link.clock.now, BlueZControl.scan)
            let result: Result<Bool?, BluetoothError>
            do throws(BluetoothError) {
                result = .success(
                    try await link.wait(within: left) { tree in
                        for device in tree.devices(on: adapter)
                        where device.isHeard && service.map(device.services.contains) ?? true {
                            found.update { $0[device.peer] = device }
                            if isEnough(device) { return true }
                        }
                        return nil
                    })
            } catch {
                result = .failure(error)
            }
            // Ends the scan before this returns, because an adapter that scans may be unable to connect.
            await stopScan(on: adapter)
            if try result.get() != nil { break }
        }
        return Array(found.value.values)
    }

    /// Makes sure that bluetoothd has an object for a device. Throws `.outOfReach` if the device is not discovered within 15 s.
    func find(_ peer: BluetoothPeer, on adapter: String) async throws(BluetoothError) {
        let path = BlueZ.path(of: peer.address, on: adapter)
        if try await link.tree().device(at: path) != nil { return }
        _ = try await discover(nil, on: adapter, for: BluetoothLimits.discovery) { $0.peer.address == peer.address }
        guard try await link.tree().device(at: path) != nil else { throw .outOfReach(peer.address) }
    }

    private func startScan(for service: BluetoothUUID?, on adapter: String) async throws(BluetoothError) {
        let path = BlueZ.path(ofAdapter: adapter)
        var filter: [String: BusValue] = ["Transport": .string("le")]
        if let service { filter["UUIDs"] = .strings([service.rawValue]) }
        let wanted = BusValue.named(filter)
        try await patiently(within: .seconds(5), about: .adapter(adapter)) { [link] () throws(BluetoothError) in
            try await link.call(path, BlueZ.adapter, "SetDiscoveryFilter", [wanted])
            try await link.call(path, BlueZ.adapter, "StartDiscovery")
        }
    }

    private func stopScan(on adapter: String) async {
        await link.undo { [self] () throws(BluetoothError) in
            try await patiently(within: .seconds(10), about: .adapter(adapter)) { [link] () throws(BluetoothError) in
                try await link.call(BlueZ.path(ofAdapter: adapter), BlueZ.adapter, "StopDiscovery")
            }
        }
    }
}
