extension BlueZControl {
    /// Whom bluetoothd's part of a registration was agreed with: both forget it when they go.
    private struct Counterpart: Equatable {
        /// Which of the daemons that were met.
        let run: Int
        /// How often the adapter had come.
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

    /// Has bluetoothd do something with an adapter until the registration ends, and tells it again whenever it or the
    /// adapter has been away.
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
            await BlueZControl.keep(state, on: adapter, through: changes, since: first) {
                () throws(BluetoothError) in
                // One that was plugged in, or whose daemon has just started, may be off.
                try await powerOn(adapter)
                try await make()
            }
            await undo()
        }
        return BluetoothRegistration(state: state, work: work)
    }

    /// Makes a registration again for every counterpart that is met after the first, until the task is cancelled.
    private static func keep(
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
                do throws(BluetoothError) {
                    try await make()
                    last = met
                    state.set(.active)
                } catch {
                    state.set(.waiting(error))
                }
            }
        }
    }
}
