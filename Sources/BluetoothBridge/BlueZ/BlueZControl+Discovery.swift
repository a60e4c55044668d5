import HostSystem
import WatchLink

extension BlueZControl {
    /// Discovers devices that advertise a service.
    public func discover(_ service: BluetoothUUID, on adapter: String, for limit: Microseconds) -> BluetoothDiscovery {
        // A scan that finds more than anybody reads keeps the newest.
        let (stream, continuation) = AsyncStream.makeStream(
            of: BluetoothDiscovery.Event.self, bufferingPolicy: .bufferingNewest(1_024))
        // Only earlier scans: this one must not wait for itself if it is cancelled at once.
        let before = endingScans.withLock { $0 }
        let work = Task {
            for scan in before.values { await scan.value }
            do throws(BluetoothError) {
                try await look(for: service, on: adapter, within: limit) { device in
                    continuation.yield(.success(device))
                    return .continue
                }
            } catch {
                if error != .cancelled { continuation.yield(.failure(error)) }
            }
            continuation.finish()
        }
        let number = nextObject()
        continuation.onTermination = { [weak self] reason in
            guard case .cancelled = reason else { return }
            self?.endingScans.withLock { $0[number] = work }
            work.cancel()
        }
        return BluetoothDiscovery(stream)
    }

    /// Returns when all cancelled scans have stopped: an adapter that scans may be unable to connect.
    func scansEnded() async {
        for (number, work) in endingScans.withLock({ $0 }) {
            await work.value
            endingScans.withLock { $0[number] = nil }
        }
    }

    /// Makes sure that bluetoothd has an object for a device, with a discovery if it has none.
    ///
    /// - Throws: `.outOfReach` if the device is not found within 15 s.
    func find(_ peer: BluetoothPeer, on adapter: String) async throws(BluetoothError) {
        let path = BlueZ.path(of: peer.address, on: adapter)
        if try await link.tree().device(at: path) != nil { return }
        try await look(for: nil, on: adapter, within: BluetoothLimits.discovery) { device in
            device.peer.address == peer.address ? .enough : .continue
        }
        guard try await link.tree().device(at: path) != nil else { throw .outOfReach(peer.address) }
    }

    /// The length of a scan before it is restarted. An adapter reports a device once in a scan, and Linux loses a report
    /// that arrives just as the scan starts; BlueZ itself restarts only after 10 s. Three seconds are more than twice the
    /// advertising interval of BlueZ, 1.28 s.
    private static let scan = Microseconds.seconds(3)

    private enum Verdict {
        case `continue`
        case enough
    }

    private func look(
        for service: BluetoothUUID?, on adapter: String, within limit: Microseconds,
        _ found: @escaping @Sendable (BluetoothDevice) -> Verdict
    ) async throws(BluetoothError) {
        _ = try await poweredOn(adapter)
        let clock = link.clock
        let end = clock.now + limit
        let sighted = Published<[BluetoothPeer: BluetoothDevice]>([:])
        while clock.now < end {
            try await startScan(for: service, on: adapter)
            let left = min(end - clock.now, BlueZControl.scan)
            let result: Result<Verdict?, BluetoothError>
            do throws(BluetoothError) {
                result = .success(
                    try await link.wait(within: left) { tree in
                        for device in tree.devices(on: adapter) where device.isHeard {
                            guard service.map(device.services.contains) ?? true else { continue }
                            guard sighted.value[device.peer] != device else { continue }
                            sighted.update { $0[device.peer] = device }
                            if case .enough = found(device) { return .enough }
                        }
                        return nil
                    })
            } catch {
                result = .failure(error)
            }
            await stopScan(on: adapter)
            if try result.get() != nil { return }
        }
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
