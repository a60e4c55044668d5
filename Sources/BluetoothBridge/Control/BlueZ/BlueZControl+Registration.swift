import HostSystem
import WatchLink
import Wormhole

extension BlueZControl {
    /// The daemon and the adapter of a registration: it is lost when either goes.
    private struct Counterpart: Equatable {
        /// The number of the daemon.
        let run: Int
        /// How often the adapter had appeared.
        let arrival: Int

        /// Nil where bluetoothd or the adapter is not there.
        init?(_ machine: DaemonMachine, adapter: String) {
            guard case .running(_, let tree) = machine.state,
                let arrival = tree.arrival(ofAdapterAt: BlueZ.path(ofAdapter: adapter))
            else { return nil }
            run = machine.runs
            self.arrival = arrival
        }
    }

    /// Registers something with bluetoothd until the registration ends, again whenever bluetoothd or the adapter was gone.
    ///
    /// - Throws: what `make` throws the first time.
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
                // An adapter that was plugged in, or whose daemon has just started, may be off.
                try await powerOn(adapter)
                try await make()
            }
            await undo()
        }
        return BluetoothRegistration(state: state, work: work)
    }

    /// The time between two attempts to register, where nothing changes meanwhile.
    static let retryPause = Microseconds.seconds(1)

    /// Repeats a registration for every new counterpart, until the task is cancelled.
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

    /// Registers until it works or the counterpart is another one, which the changes tell. An adapter that has just come may
    /// refuse, and nothing says when it would no longer.
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
                // Cancelling the pause ends the registration.
                do { try await link.clock.sleep(until: link.clock.now + BlueZControl.retryPause) } catch {
                    return false
                }
                guard Counterpart(link.now, adapter: adapter) == met else { return false }
            }
        }
    }
}
