import WatchLink

extension BlueZControl {
    /// Looks for devices that advertise a service.
    public func discover(_ service: BluetoothUUID, on adapter: String, for limit: Microseconds) -> BluetoothDiscovery {
        let (stream, continuation) = AsyncStream.makeStream(of: BluetoothDiscovery.Event.self)
        // Those before this one: it does not wait for itself where it is cancelled at once.
        let before = endingScans.withLock { $0 }
        let work = Task {
            for scan in before.values { await scan.value }
            do throws(BluetoothError) {
                try await look(for: service, on: adapter, within: limit) { device in
                    continuation.yield(.success(device))
                    return .goOn
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

    /// Returns when no scan is left that nobody wants: an adapter that scans may be unable to connect.
    func scansEnded() async {
        for (number, work) in endingScans.withLock({ $0 }) {
            await work.value
            endingScans.withLock { $0[number] = nil }
        }
    }

    /// Sees to it that bluetoothd has an object for a device: one that it has not heard of late is looked for.
    ///
    /// - Throws: `.outOfReach` where it is not heard within 15 s.
    func find(_ peer: BluetoothPeer, on adapter: String) async throws(BluetoothError) {
        let path = BlueZ.path(of: peer.address, on: adapter)
        if try await link.tree().device(at: path) != nil { return }
        try await look(for: nil, on: adapter, within: BluetoothLimits.discovery) { device in
            device.peer.address == peer.address ? .enough : .goOn
        }
        guard try await link.tree().device(at: path) != nil else { throw .outOfReach(peer.address) }
    }

    /// How long to scan before scanning anew. An adapter reports a device once in a scan, and a report that comes in
    /// just as the scan begins is lost on Linux; BlueZ itself begins anew after 10 s only. It is more than twice the
    /// 1.28 s between two calls of a device that advertises as BlueZ does.
    private static let scan = Microseconds.seconds(3)

    /// What to do after a device has been found.
    private enum Verdict {
        case goOn
        case enough
    }

    /// Looks for devices, of a service or all, and stops.
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
        // The task that looks may be cancelled, and so would be its calls. Where bluetoothd is gone, or the adapter,
        // there is nothing left to stop.
        await Task {
            try? await patiently(within: .seconds(10), about: .adapter(adapter)) { [link] () throws(BluetoothError) in
                try await link.call(BlueZ.path(ofAdapter: adapter), BlueZ.adapter, "StopDiscovery")
            }
        }.value
    }
}
