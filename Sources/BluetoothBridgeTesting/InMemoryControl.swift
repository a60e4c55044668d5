import BluetoothBridge
import HostSystem
import WatchLink

/// The Bluetooth of a simulated machine. `InMemoryBluetooth.machine(adapters:)` returns it.
public final class InMemoryControl: BluetoothControl {
    private let radio: InMemoryBluetooth
    private let machine: UInt64

    init(radio: InMemoryBluetooth, machine: UInt64) {
        self.radio = radio
        self.machine = machine
    }

    /// Stops the machine's daemon: every call then throws `error`, and all connections end. Nil starts the daemon again.
    public func setDaemon(failing error: BluetoothError?) {
        radio.change { radio in
            radio.daemonErrors[machine] = error
            guard error != nil else { return }
            for index in radio.stations.indices where radio.stations[index].machine == machine {
                radio.disconnectAll(of: index)
            }
        }
    }

    /// Switches an adapter on or off, as a user would. Switching it off ends its connections.
    public func setPower(_ isOn: Bool, of adapter: String) throws(BluetoothError) {
        try radio.change { radio throws(BluetoothError) in
            let index = try station(adapter, in: radio)
            radio.stations[index].adapter.isOn = isOn
            if !isOn { radio.disconnectAll(of: index) }
        }
    }

    /// Sets whether an adapter is pairable. A test can thus imitate BlueZ, which makes every new adapter pairable.
    public func setPairable(_ isPairable: Bool, of adapter: String) throws(BluetoothError) {
        try radio.change { radio throws(BluetoothError) in
            radio.stations[try station(adapter, in: radio)].adapter.isPairable = isPairable
        }
    }

    /// The adapters of the machine, sorted by name.
    public func adapters() async throws(BluetoothError) -> [BluetoothAdapter] {
        let radio = radio.now
        try check(radio)
        return radio.stations.filter { $0.machine == machine }.map(\.adapter).sorted { $0.name < $1.name }
    }

    /// Switches an adapter on, and returns when it is on.
    public func powerOn(_ adapter: String) async throws(BluetoothError) {
        try setPower(true, of: adapter)
    }

    /// The devices that an adapter knows.
    public func devices(on adapter: String) async throws(BluetoothError) -> [BluetoothDevice] {
        let radio = radio.now
        return radio.devices(of: radio.stations[try station(adapter, in: radio)])
    }

    /// Discovers devices nearby; see `BluetoothControl`.
    public func discover(
        _ service: BluetoothUUID?, on adapter: String, for limit: Microseconds,
        until isEnough: @escaping @Sendable (BluetoothDevice) -> Bool
    ) async throws(BluetoothError) -> [BluetoothDevice] {
        let looking = Task { [self, changes = radio.changes()] in
            var found: [BluetoothPeer: BluetoothDevice] = [:]
            for await _ in changes {
                let radio = radio.now
                let station = radio.stations[try ready(adapter, in: radio)]
                for device in radio.devices(of: station)
                where device.isHeard && service.map(device.services.contains) ?? true {
                    found[device.peer] = device
                    if isEnough(device) { return Array(found.values) }
                }
            }
            return Array(found.values)
        }
        let end = Task { [clock = radio.clock, deadline = radio.clock.now + limit] in
            try? await clock.sleep(until: deadline)
            looking.cancel()
        }
        defer { end.cancel() }
        let result = await withTaskCancellationHandler {
            await looking.result
        } onCancel: {
            looking.cancel()
        }
        if Task.isCancelled { throw .cancelled }
        return try result.mapError { $0 as? BluetoothError ?? .cancelled }.get()
    }

    /// Ends the connection to a device, and blocks the device until `unblock` or `forget`.
    public func block(_ peer: BluetoothPeer, on adapter: String) throws(BluetoothError) {
        try radio.change { radio throws(BluetoothError) in
            let index = try station(adapter, in: radio)
            radio.stations[index].blocked.insert(peer.address)
            radio.disconnect(index, from: peer.address)
        }
    }

    /// Lets a blocked device connect again.
    public func unblock(_ peer: BluetoothPeer, on adapter: String) throws(BluetoothError) {
        try radio.change { radio throws(BluetoothError) in
            let index = try station(adapter, in: radio)
            radio.stations[index].blocked.remove(peer.address)
        }
    }

    /// Deletes a device's keys on this side only, and ends the connection.
    public func forget(_ peer: BluetoothPeer, on adapter: String) async throws(BluetoothError) {
        try radio.change { radio throws(BluetoothError) in
            let index = try station(adapter, in: radio)
            radio.stations[index].bonds.remove(peer.address)
            radio.stations[index].blocked.remove(peer.address)
            radio.disconnect(index, from: peer.address)
        }
    }

    /// Connects to a device that advertises.
    public func connect(to peer: BluetoothPeer, on adapter: String) async throws(BluetoothError) {
        try radio.change { radio throws(BluetoothError) in
            let index = try ready(adapter, in: radio)
            if radio.stations[index].connections.contains(peer.address) { return }
            guard let other = radio.heard(peer.address) else { throw .outOfReach(peer.address) }
            radio.stations[index].connections.insert(peer.address)
            radio.stations[other].connections.insert(radio.stations[index].adapter.address)
        }
    }

    /// Ends the connection to a device, if there is one.
    public func disconnect(from peer: BluetoothPeer, on adapter: String) async throws(BluetoothError) {
        try radio.change { radio throws(BluetoothError) in
            radio.disconnect(try station(adapter, in: radio), from: peer.address)
        }
    }

    /// The PSM of the L2CAP channel that a connected watch serves.
    public func channelNumber(of peer: BluetoothPeer, on adapter: String) async throws(BluetoothError) -> UInt16 {
        let radio = radio.now
        guard radio.stations[try ready(adapter, in: radio)].connections.contains(peer.address),
            let other = radio.stations.first(where: { $0.adapter.address == peer.address })
        else { throw .outOfReach(peer.address) }
        guard let newest = other.services.keys.max(), let services = other.services[newest] else {
            throw .noService(peer.address)
        }
        return services.channelNumber
    }

    /// Advertises until the registration ends.
    public func advertise(
        _ advertisement: BluetoothAdvertisement, on adapter: String
    ) async throws(BluetoothError) -> BluetoothRegistration {
        let number = try begin(on: adapter) { station, number in station.advertisements[number] = advertisement }
        return registration(on: adapter) { $0.advertisements[number] = nil }
    }

    /// Offers the services of a watch until the registration ends.
    public func serve(
        _ services: WatchServices, on adapter: String
    ) async throws(BluetoothError) -> BluetoothRegistration {
        let number = try begin(on: adapter) { station, number in station.services[number] = services }
        return registration(on: adapter) { $0.services[number] = nil }
    }

    /// Answers pairings that other devices start; see `BluetoothControl`.
    public func answerPairing(
        on adapter: String, asking answer: PairingAnswer?, refusing refuse: @escaping PairingRefusal
    ) async throws(BluetoothError) -> BluetoothRegistration {
        let number = try begin(on: adapter) { station, number in
            station.responder = InMemoryBluetooth.Responder(number: number, answer: answer, refuse: refuse)
            station.adapter.isPairable = answer != nil
        }
        return registration(on: adapter) { station in
            guard station.responder?.number == number else { return }
            station.responder = nil
            station.adapter.isPairable = false
        }
    }

    /// Tries to pair with a device nearby without comparing digits, as an attacker does. This always fails. A device in reach
    /// ends the connection, calls the `refuse` that its program passed to `answerPairing`, and answers no pairing until its
    /// program calls `answerPairing` again.
    ///
    /// - Throws: `.outOfReach` if the device does not advertise; `.pairingFailed` if no program of the device answers pairings;
    ///   otherwise `.notCompared`.
    public func pair(with peer: BluetoothPeer, on adapter: String, by method: PairingMethod) throws(BluetoothError) {
        let (own, refuse) = try radio.change { radio throws(BluetoothError) in
            let own = radio.stations[try ready(adapter, in: radio)].adapter.address
            guard let other = radio.heard(peer.address) else { throw .outOfReach(peer.address) }
            let responder = radio.stations[other].responder
            radio.stations[other].responder = nil
            radio.disconnect(other, from: own)
            radio.stations[other].adapter.isPairable = false
            return (own, responder?.refuse)
        }
        guard let refuse else { throw .pairingFailed(peer.address, "the other side refused") }
        refuse(BluetoothPeer(own, .public), method)
        throw .notCompared(peer.address, method)
    }

    /// Pairs with a device nearby; see `BluetoothControl`.
    public func pair(
        with peer: BluetoothPeer, on adapter: String, asking answer: @escaping PairingAnswer
    ) async throws(BluetoothError) {
        let before = radio.now
        let own = before.stations[try ready(adapter, in: before)]
        if own.bonds.contains(peer.address) { throw .alreadyPaired(peer.address) }
        guard let other = before.heard(peer.address).map({ before.stations[$0] }) else {
            throw .outOfReach(peer.address)
        }
        guard let theirAnswer = other.responder?.answer else {
            throw .pairingFailed(peer.address, "the other side refused")
        }
        let digits = radio.nextDigits()
        let questions = [
            (answer, PairingRequest(peer: peer, adapter: adapter, digits: digits)),
            (
                theirAnswer,
                PairingRequest(
                    peer: BluetoothPeer(own.adapter.address, .public), adapter: other.adapter.name, digits: digits)
            ),
        ]
        let isAgreed = await withTaskGroup(of: PairingDecision.self) { group in
            for (ask, request) in questions { group.addTask { await ask(request) } }
            for await decision in group where decision == .reject {
                group.cancelAll()
                return false
            }
            return true
        }
        if Task.isCancelled { throw .cancelled }
        guard isAgreed else { throw .pairingFailed(peer.address, "one side rejected the digits, or they differ") }
        try radio.change { radio throws(BluetoothError) in
            let index = try ready(adapter, in: radio)
            guard let place = radio.heard(peer.address) else { throw .outOfReach(peer.address) }
            radio.stations[index].bonds.insert(peer.address)
            radio.stations[place].bonds.insert(own.adapter.address)
            radio.stations[index].connections.insert(peer.address)
            radio.stations[place].connections.insert(own.adapter.address)
        }
    }
}

extension InMemoryControl {
    private func check(_ radio: InMemoryBluetooth.Neighbourhood) throws(BluetoothError) {
        if let error = radio.daemonErrors[machine] { throw error }
    }

    private func station(_ adapter: String, in radio: InMemoryBluetooth.Neighbourhood) throws(BluetoothError) -> Int {
        try check(radio)
        let index = radio.stations.firstIndex { $0.machine == machine && $0.adapter.name == adapter }
        guard let index else { throw .noAdapter(name: adapter) }
        return index
    }

    private func ready(_ adapter: String, in radio: InMemoryBluetooth.Neighbourhood) throws(BluetoothError) -> Int {
        let index = try station(adapter, in: radio)
        guard radio.stations[index].adapter.isOn else { throw .adapterDown(name: adapter) }
        return index
    }

    private func begin(
        on adapter: String, _ body: (inout InMemoryBluetooth.Station, UInt64) -> Void
    ) throws(BluetoothError) -> UInt64 {
        try radio.change { radio throws(BluetoothError) in
            let index = try ready(adapter, in: radio)
            let number = radio.number()
            body(&radio.stations[index], number)
            return number
        }
    }

    /// Makes a registration whose state is `.waiting` while the daemon is stopped. `undo` runs when the registration ends.
    private func registration(
        on adapter: String, undo: @escaping @Sendable (inout InMemoryBluetooth.Station) -> Void
    ) -> BluetoothRegistration {
        let state = Published(BluetoothRegistration.State.active)
        let work = Task { [radio, machine, changes = radio.changes()] in
            for await _ in changes {
                state.set(radio.now.daemonErrors[machine].map { .waiting($0) } ?? .active)
            }
            radio.change { radio in
                for index in radio.stations.indices
                where radio.stations[index].machine == machine && radio.stations[index].adapter.name == adapter {
                    undo(&radio.stations[index])
                }
            }
        }
        return BluetoothRegistration(state: state, work: work)
    }
}
