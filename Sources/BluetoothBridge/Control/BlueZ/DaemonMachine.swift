/// What is known of bluetoothd. It takes in the events of the bus and decides what to ask next.
struct DaemonMachine: Hashable, Sendable {
    enum State: Hashable, Sendable {
        /// Nothing is known yet.
        case looking
        /// There is no bus, or bluetoothd refuses this user.
        case unreachable(BluetoothError)
        /// The bus is there, without bluetoothd.
        case absent
        /// It runs under this unique name; its objects are requested.
        case loading(owner: String)
        /// It runs under this unique name and has these objects.
        case running(owner: String, ObjectTree)
    }

    enum Event: Hashable, Sendable {
        case connected
        case disconnected(BluetoothError)
        /// bluetoothd has this unique name; nil where it has none.
        case owner(String?)
        /// The bus did not answer who bluetoothd is.
        case unanswered(BluetoothError)
        /// The objects of bluetoothd, or why there are none.
        case objects(owner: String, Result<ObjectTree, BluetoothError>)
        /// A signal that may be bluetoothd's.
        case signal(BusSignal)
    }

    enum Action: Hashable, Sendable {
        /// Ask the bus for the unique name of bluetoothd.
        case askOwner
        case askObjects(owner: String)
    }

    private(set) var state = State.looking
    /// The number of daemons so far. A daemon counts again after the connection was lost, because it has forgotten the
    /// registrations of the old connection.
    private(set) var runs = 0

    /// Takes in an event and returns what to ask.
    mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .connected:
            state = .looking
            return [.askOwner]
        case .disconnected(let error), .unanswered(let error):
            state = .unreachable(error)
            return []
        case .owner(nil):
            state = .absent
            return []
        case .owner(let owner?): return meet(owner)
        case .objects(let owner, let result):
            guard case .loading(owner) = state else { return [] }
            switch result {
            case .success(let tree):
                runs += 1
                state = .running(owner: owner, tree)
            case .failure(.noDaemon): state = .absent
            case .failure(let error): state = .unreachable(error)
            }
            return []
        case .signal(let signal):
            guard case .running(let owner, var tree) = state, signal.sender == owner else { return [] }
            tree.apply(signal)
            state = .running(owner: owner, tree)
            return []
        }
    }

    private mutating func meet(_ owner: String) -> [Action] {
        switch state {
        case .loading(owner), .running(owner, _): return []
        case .looking, .unreachable, .absent, .loading, .running:
            state = .loading(owner: owner)
            return [.askObjects(owner: owner)]
        }
    }
}
