import HostSystem
import WatchLink
import Wormhole

extension BlueZControl {
    /// The daemon and the adapter that hold a registration. If bluetoothd restarts, the bus connection is lost or the adapter
    /// is unplugged, the registration is lost.
    private struct Counterpart: Equatable {
        let run: Int
        let arrival: Int

        /// Nil if bluetoothd or the adapter is missing.
        init?(_ machine: DaemonMachine, adapter: String) {
            guard case .running(_, let tree) = machine.state,
                let arrival = tree.arrival(ofAdapterAt: BlueZ.path(ofAdapter: adapter))
            else { return nil }
            run = machine.runs
            self.arrival = arrival
        }
    }

    /// Calls `make` now, and again whenever bluetoothd or the adapter comes back. Calls `undo` when the returned registration
    /// ends. Throws an error if bluetoothd cannot be reached or the first call of `make` fails.
    func register(
        on adapter: String, _ make: @escaping @Sendable () async throws(BluetoothError) -> Void,
        undo: @escaping @Sendable () async -> Void
    ) async throws(BluetoothError) -> BluetoothRegistration {
        _ = try await link.tree()
        let first = Counterpart(link.now, adapter: adapter)
        try await make()
        let state = Published(BluetoothRegistration.State.active)
        let changes = link.changes()
        let work = Task { [self] in
            await keep(state, on: adapter, through: changes, since: first) {
                () throws(BluetoothError) in
                // An adapter that was plugged in, or whose daemon just started, may be off.
                try await powerOn(adapter)
                try await make()
            }
            await undo()
        }
        return BluetoothRegistration(state: state, work: work)
    }

    static let retryPause = Microseconds.seconds(1)

    private func keep(
        _ state: Published<BluetoothRegistration.State>, on adapter: String,
        through changes: AsyncStream<DaemonMachine>, since first: Counterpart?,
        _ make: @Sendable () async throws(BluetoothError) -> Void
    ) async {
        var last = first
        for await machine in changes {
            switch machine.state {
            case .looking, .loading: continue
            case .unreachable(let error): state.set(.waiting(error))
            case .absent: state.set(.waiting(.noDaemon))
            case .running:
                guard let met = Counterpart(machine, adapter: adapter) else {
                    state.set(.waiting(.noAdapter(name: adapter)))
                    continue
                }
                guard met != last else { continue }
                if await succeeds(make, for: met, on: adapter, state) { last = met }
            }
        }
    }

    /// Repeats `make` until it succeeds, or until the daemon or the adapter changes. BlueZ may refuse calls for a new adapter
    /// at first, and sends no signal when the adapter is ready.
    private func succeeds(
        _ make: @Sendable () async throws(BluetoothError) -> Void, for met: Counterpart, on adapter: String,
        _ state: Published<BluetoothRegistration.State>
    ) async -> Bool {
        while true {
            do throws(BluetoothError) {
                try await make()
                state.set(.active)
                return true
            } catch {
                state.set(.waiting(error))
                // A cancelled pause ends the registration.
                do { try await link.clock.sleep(until: link.clock.now + BlueZControl.retryPause) } catch {
                    return false
                }
                guard Counterpart(link.now, adapter: adapter) == met else { return false }
            }
        }
    }
}

extension BlueZControl {
    /// Advertises until the registration ends.
    public func advertise(
        _ advertisement: BluetoothAdvertisement, on adapter: String
    ) async throws(BluetoothError) -> BluetoothRegistration {
        _ = try await poweredOn(adapter)
        let path = "/org/tapline/advertisement\(nextObject())"
        let properties: [String: BusValue] = [
            "Type": .string("peripheral"), "LocalName": .string(advertisement.name), "Discoverable": .yes,
            "ServiceUUIDs": .strings([advertisement.service.rawValue]),
        ]
        link.export(
            BusExport(properties: { [BlueZ.advertisement: properties] }) { call, answer in
                // Release: bluetoothd ends the advertisement, for example because it exits.
                answer(call.member == "Release" ? .success([]) : .failure(.unknownMethod(call)))
            }, at: path)
        return try await registered(path, with: BlueZ.advertisingManager, "Advertisement", on: adapter) { [link] in
            link.bus.withdraw(path)
        }
    }

    /// Offers the services of a watch until the registration ends.
    public func serve(
        _ services: WatchServices, on adapter: String
    ) async throws(BluetoothError) -> BluetoothRegistration {
        _ = try await poweredOn(adapter)
        let application = GATTApplication(watch: services, root: "/org/tapline/services\(nextObject())")
        application.show(on: link)
        return try await registered(application.root, with: BlueZ.gattManager, "Application", on: adapter) { [link] in
            application.hide(from: link.bus)
        }
    }

    /// Registers the object at `path` with `manager`, an interface of the adapter. The interface may appear later than the
    /// adapter. Calls `undo` when the registration fails or ends.
    private func registered(
        _ path: String, with manager: String, _ what: String, on adapter: String,
        undo: @escaping @Sendable () async -> Void
    ) async throws(BluetoothError) -> BluetoothRegistration {
        let place = BlueZ.path(ofAdapter: adapter)
        do throws(BluetoothError) {
            return try await register(on: adapter) { [self] () throws(BluetoothError) in
                try await patiently(within: .seconds(10), about: .adapter(adapter)) {
                    [link] () throws(BluetoothError) in
                    // A daemon refuses an object that it already has.
                    try await ignoring("AlreadyExists") { () throws(BluetoothError) in
                        try await link.call(place, manager, "Register" + what, [.objectPath(path), .named([:])])
                    }
                }
            } undo: { [link] in
                await link.undo { () throws(BluetoothError) in
                    try await link.call(place, manager, "Unregister" + what, [.objectPath(path)])
                }
                await undo()
            }
        } catch {
            await undo()
            throw error
        }
    }
}
