import BluetoothBridge
import WatchLink

/// The Bluetooth of a simulated machine; `InMemoryBluetooth` makes one.
public final class InMemoryControl: BluetoothControl {
    private let air: InMemoryBluetooth
    private let machine: UInt64

    init(air: InMemoryBluetooth, machine: UInt64) {
        self.air = air
        self.machine = machine
    }

    /// Lets the daemon of the machine go or come back. One that goes has the connections of its adapters end.
    public func setDaemon(_ daemon: BluetoothDaemon) {
        air.change { air in
            air.daemons[machine] = daemon
            guard case .absent = daemon else { return }
            for index in air.stations.indices where air.stations[index].machine == machine {
                InMemoryControl.disconnectAll(of: index, in: &air)
            }
        }
    }

    /// Switches an adapter on or off, as a person would with a switch.
    public func setPower(_ power: BluetoothAdapter.Power, of adapter: String) throws(BluetoothError) {
        try air.change { air throws(BluetoothError) in
            let index = try station(adapter, in: air)
            air.stations[index].adapter.power = power
            if power == .off { InMemoryControl.disconnectAll(of: index, in: &air) }
        }
    }

    /// The state of bluetoothd, now and whenever it changes.
    public func daemonStates() -> AsyncStream<BluetoothDaemon> {
        air.changes().distinct { [air, machine] _ in air.now.daemons[machine] ?? .unknown }
    }

    /// The devices that an adapter knows, now and whenever something about them changes.
    public func deviceStates(on adapter: String) -> AsyncStream<[BluetoothDevice]> {
        air.changes().distinct { [self] _ in
            let air = air.now
            // An adapter that is not there, or not to be asked, knows nobody.
            guard let index = try? station(adapter, in: air) else { return [] }
            return InMemoryControl.devices(of: air.stations[index], in: air)
        }
    }

    /// The adapters of the machine, by name.
    public func adapters() async throws(BluetoothError) -> [BluetoothAdapter] {
        let air = air.now
        try check(air)
        return air.stations.filter { $0.machine == machine }.map(\.adapter).sorted { $0.name < $1.name }
    }

    /// Switches an adapter on, and waits until it is.
    public func powerOn(_ adapter: String) async throws(BluetoothError) {
        try setPower(.on, of: adapter)
    }

    /// The devices that an adapter knows.
    public func devices(on adapter: String) async throws(BluetoothError) -> [BluetoothDevice] {
        let air = air.now
        return InMemoryControl.devices(of: air.stations[try station(adapter, in: air)], in: air)
    }

    /// Looks for devices that advertise a service.
    public func discover(_ service: BluetoothUUID, on adapter: String, for limit: Microseconds) -> BluetoothDiscovery {
        let (stream, continuation) = AsyncStream.makeStream(of: BluetoothDiscovery.Event.self)
        let work = Task { [self, changes = air.changes()] in
            var known: Set<BluetoothDevice> = []
            for await _ in changes {
                let air = air.now
                do throws(BluetoothError) {
                    let station = air.stations[try ready(adapter, in: air)]
                    for device in InMemoryControl.devices(of: station, in: air)
                    where device.isHeard && device.services.contains(service) {
                        if known.insert(device).inserted { continuation.yield(.success(device)) }
                    }
                } catch {
                    continuation.yield(.failure(error))
                    break
                }
            }
            continuation.finish()
        }
        let end = Task { [clock = air.clock, deadline = air.clock.now + limit] in
            guard (try? await clock.sleep(until: deadline)) != nil else { return }
            work.cancel()
        }
        continuation.onTermination = { _ in
            work.cancel()
            end.cancel()
        }
        return BluetoothDiscovery(stream)
    }

    /// Forgets a device and its keys.
    public func forget(_ peer: BluetoothPeer, on adapter: String) async throws(BluetoothError) {
        try air.change { air throws(BluetoothError) in
            let index = try station(adapter, in: air)
            air.stations[index].bonds.remove(peer.address)
            InMemoryControl.disconnect(index, peer.address, in: &air)
        }
    }

    /// Connects to a device, and waits until what it offers is known.
    public func connect(to peer: BluetoothPeer, on adapter: String) async throws(BluetoothError) {
        try air.change { air throws(BluetoothError) in
            let index = try ready(adapter, in: air)
            if air.stations[index].connections.contains(peer.address) { return }
            guard let other = air.heard(peer.address) else { throw .outOfReach(peer.address) }
            air.stations[index].connections.insert(peer.address)
            air.stations[other].connections.insert(air.stations[index].adapter.address)
        }
    }

    /// Ends the connection to a device, where there is one.
    public func disconnect(from peer: BluetoothPeer, on adapter: String) async throws(BluetoothError) {
        try air.change { air throws(BluetoothError) in
            InMemoryControl.disconnect(try station(adapter, in: air), peer.address, in: &air)
        }
    }

    /// The PSM that a connected watch has for its channel.
    public func channelNumber(of peer: BluetoothPeer, on adapter: String) async throws(BluetoothError) -> UInt16 {
        let air = air.now
        guard air.stations[try ready(adapter, in: air)].connections.contains(peer.address),
            let other = air.stations.first(where: { $0.adapter.address == peer.address })
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

    /// Lets other devices pair with an adapter, until the registration ends.
    public func answerPairing(
        on adapter: String, asking answer: @escaping PairingAnswer
    ) async throws(BluetoothError) -> BluetoothRegistration {
        let number = try begin(on: adapter) { station, number in
            station.responder = InMemoryBluetooth.Responder(number: number, answer: answer)
        }
        return registration(on: adapter) { station in
            if station.responder?.number == number { station.responder = nil }
        }
    }

    /// Pairs with a device that is near, by comparing digits.
    public func pair(
        with peer: BluetoothPeer, on adapter: String, asking answer: @escaping PairingAnswer
    ) async throws(BluetoothError) {
        let before = air.now
        let own = before.stations[try ready(adapter, in: before)]
        if own.bonds.contains(peer.address) { throw .alreadyPaired(peer.address) }
        guard let other = before.heard(peer.address).map({ before.stations[$0] }) else {
            throw .outOfReach(peer.address)
        }
        guard let responder = other.responder else { throw .pairingFailed(peer.address, "the other side said no") }
        let digits = air.nextDigits()
        let questions = [
            (answer, PairingRequest(peer: peer, adapter: adapter, digits: digits)),
            (
                responder.answer,
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
        guard isAgreed else { throw .pairingFailed(peer.address, "one side said no, or the digits were not the same") }
        try air.change { air throws(BluetoothError) in
            let index = try ready(adapter, in: air)
            guard let place = air.heard(peer.address) else { throw .outOfReach(peer.address) }
            air.stations[index].bonds.insert(peer.address)
            air.stations[place].bonds.insert(own.adapter.address)
            air.stations[index].connections.insert(peer.address)
            air.stations[place].connections.insert(own.adapter.address)
        }
    }
}

extension InMemoryControl {
    private func check(_ air: InMemoryBluetooth.Air) throws(BluetoothError) {
        guard case .absent(let error) = air.daemons[machine] else { return }
        throw error
    }

    private func station(_ adapter: String, in air: InMemoryBluetooth.Air) throws(BluetoothError) -> Int {
        try check(air)
        let index = air.stations.firstIndex { $0.machine == machine && $0.adapter.name == adapter }
        guard let index else { throw .noAdapter(name: adapter) }
        return index
    }

    private func ready(_ adapter: String, in air: InMemoryBluetooth.Air) throws(BluetoothError) -> Int {
        let index = try station(adapter, in: air)
        guard air.stations[index].adapter.power == .on else { throw .adapterDown(name: adapter) }
        return index
    }

    private func begin(
        on adapter: String, _ body: (inout InMemoryBluetooth.Station, UInt64) -> Void
    ) throws(BluetoothError) -> UInt64 {
        try air.change { air throws(BluetoothError) in
            let index = try ready(adapter, in: air)
            let number = air.number()
            body(&air.stations[index], number)
            return number
        }
    }

    /// A registration that waits while the daemon is away, and is undone when it ends.
    private func registration(
        on adapter: String, undo: @escaping @Sendable (inout InMemoryBluetooth.Station) -> Void
    ) -> BluetoothRegistration {
        let state = Published(BluetoothRegistration.State.active)
        let work = Task { [air, machine, changes = air.changes()] in
            for await _ in changes {
                if case .absent(let error) = air.now.daemons[machine] {
                    state.set(.waiting(error))
                } else {
                    state.set(.active)
                }
            }
            air.change { air in
                for index in air.stations.indices
                where air.stations[index].machine == machine && air.stations[index].adapter.name == adapter {
                    undo(&air.stations[index])
                }
            }
        }
        return BluetoothRegistration(state: state, work: work)
    }

    private static func disconnectAll(of index: Int, in air: inout InMemoryBluetooth.Air) {
        for address in air.stations[index].connections { disconnect(index, address, in: &air) }
    }

    private static func disconnect(_ index: Int, _ address: BluetoothAddress, in air: inout InMemoryBluetooth.Air) {
        let own = air.stations[index].adapter.address
        air.stations[index].connections.remove(address)
        for other in air.stations.indices where air.stations[other].adapter.address == address {
            air.stations[other].connections.remove(own)
        }
    }

    /// What a station knows of the others: those that it has keys for, is connected to, or hears.
    private static func devices(
        of station: InMemoryBluetooth.Station, in air: InMemoryBluetooth.Air
    ) -> [BluetoothDevice] {
        air.stations.compactMap { other in
            let address = other.adapter.address
            guard address != station.adapter.address else { return nil }
            let isHeard = air.heard(address) != nil
            let isConnected = station.connections.contains(address)
            let isBonded = station.bonds.contains(address)
            guard isHeard || isConnected || isBonded else { return nil }
            let newest = other.advertisements.keys.max().flatMap { other.advertisements[$0] }
            return BluetoothDevice(
                peer: BluetoothPeer(address, .public), name: newest?.name ?? other.adapter.alias,
                presence: isHeard ? .heard(signalStrength: -50) : .unheard, trust: isBonded ? .bonded : .stranger,
                connection: isConnected ? .resolved : .none,
                services: Set(other.advertisements.values.map(\.service)))
        }
    }
}
