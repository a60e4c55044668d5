/// What is known of bluetoothd: from what the bus tells it decides what to ask next.
struct DaemonMachine: Hashable, Sendable {
    /// How far it has got.
    enum State: Hashable, Sendable {
        /// Nothing is known yet.
        case looking
        /// There is no bus, or bluetoothd does not talk to this user.
        case unreachable(BluetoothError)
        /// The bus is there, and nobody on it is bluetoothd.
        case absent
        /// It runs under this unique name, and has been asked for its objects.
        case loading(owner: String)
        /// It runs under this unique name and has these objects.
        case running(owner: String, ObjectTree)
    }

    /// What the bus tells.
    enum Event: Hashable, Sendable {
        /// There is a connection to the bus, a new one.
        case connected
        /// There is none any more.
        case disconnected(BluetoothError)
        /// bluetoothd has this unique name; nil where it has none.
        case owner(String?)
        /// Who bluetoothd is could not be found out.
        case unanswered(BluetoothError)
        /// The objects of bluetoothd, or why there are none.
        case objects(owner: String, Result<ObjectTree, BluetoothError>)
        /// A signal of bluetoothd's, or what looks like one.
        case signal(BusSignal)
    }

    /// What is to be done.
    enum Action: Hashable, Sendable {
        /// Ask the bus who bluetoothd is.
        case askOwner
        /// Ask bluetoothd for its objects.
        case askObjects(owner: String)
    }

    /// How far it has got.
    private(set) var state = State.looking
    /// How many daemons have been found, one after the other; one that is met over a new connection counts anew,
    /// because it has forgotten what the old one asked for.
    private(set) var runs = 0

    /// Takes in an event.
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

    /// What others are told.
    var daemon: BluetoothDaemon {
        switch state {
        case .looking, .loading: runs == 0 ? .unknown : .absent(.noDaemon)
        case .unreachable(let error): .absent(error)
        case .absent: .absent(.noDaemon)
        case .running: runs > 1 ? .restarted(count: runs - 1) : .running
        }
    }
}
