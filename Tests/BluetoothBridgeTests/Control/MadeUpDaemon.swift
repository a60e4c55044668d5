import HostSystem

@testable import BluetoothBridge

/// A bluetoothd that is made up, on a bus of a test's own: one adapter, and what it was asked.
final class MadeUpDaemon: Sendable {
    private struct Answers: Equatable {
        /// How often it is too busy to switch the adapter on.
        var busy: Int
        /// How often it refuses to advertise, from now on.
        var refusals = 0
        var power = BusValue.no
        /// How often it begins a pairing that leads to nothing.
        var silences = 0
        var bond = BusValue.no
    }

    private static let adapter = "/org/bluez/hci0"
    private static let device = "/org/bluez/hci0/dev_00_AA_01_01_00_24"
    /// The device near it.
    static let peer = BluetoothAddress("00:AA:01:01:00:24")

    private let bus: SystemBus
    private let answers: Published<Answers>
    /// The methods that were called, of all interfaces.
    let calls = Published<[String]>([])
    /// Who called last, by the name that the bus gave it.
    let caller = Published("")

    /// Starts it, under the name of BlueZ.
    init(on place: PrivateBus, busy: Int = 0, refusing fault: BusFault? = nil) async throws {
        bus = try SystemBus(address: place.address)
        answers = Published(Answers(busy: busy))
        bus.export(.passive { [:] }, at: "/")
        let adapter = BusExport(properties: { [answers] in [BlueZ.adapter: Self.properties(of: answers.value)] }) {
            [weak self] call, answer in
            if let fault { answer(.failure(fault)) } else { self?.handle(call, answer) }
        }
        bus.export(adapter, at: Self.adapter)
        let device = BusExport(properties: { [answers] in [BlueZ.device: Self.device(of: answers.value)] }) {
            [weak self] call, answer in self?.pair(call, answer)
        }
        bus.export(device, at: Self.device)
        bus.export(BusExport(properties: { [:] }) { _, answer in answer(.success([])) }, at: "/org/bluez")
        _ = try await bus.call(
            BusCall(
                destination: SystemBus.name, path: "/org/freedesktop/DBus", interface: SystemBus.name,
                member: "RequestName", body: [.string(BlueZ.name), .uint32(0)]))
    }

    private static func properties(of answers: Answers) -> [String: BusValue] {
        ["Address": .string("00:AA:01:00:00:23"), "Alias": .string("made up"), "Powered": answers.power]
    }

    private static func device(of answers: Answers) -> [String: BusValue] {
        [
            "Address": .string("00:AA:01:01:00:24"), "Adapter": .objectPath(adapter), "Paired": answers.bond,
            "Bonded": answers.bond,
        ]
    }

    /// Lets the next `times` pairings lead to nothing: nobody is asked.
    func beSilent(_ times: Int) { answers.update { $0.silences = times } }

    /// Asks the agent of who wants to pair, and bonds the two where that agrees.
    private func pair(_ call: BusIncomingCall, _ answer: @escaping BusExport.Answer) {
        calls.update { $0.append(call.member) }
        guard call.member == "Pair" else { return answer(.success([])) }
        if answers.value.silences > 0 { return answers.update { $0.silences -= 1 } }
        let question = BusCall(
            destination: call.sender, path: PairingAgent.path, interface: BlueZ.agent, member: "RequestConfirmation",
            body: [.objectPath(Self.device), .uint32(42_042)])
        bus.send(question) { [bus, answers] result in
            guard case .success = result else { return answer(.failure(BlueZ.fault("AuthenticationFailed", ""))) }
            answers.update { $0.bond = .yes }
            answer(.success([]))
            bus.emit(
                BusSignal(
                    path: Self.device, interface: BlueZ.properties, member: "PropertiesChanged",
                    body: [.string(BlueZ.device), .named(["Paired": .yes, "Bonded": .yes]), .strings([])]))
        }
    }

    /// Refuses the next `times` registrations of an advertisement.
    func refuseToAdvertise(_ times: Int) { answers.update { $0.refusals = times } }

    /// Pulls the adapter out, as far as signals tell.
    func unplug() {
        bus.emit(
            BusSignal(
                path: "/", interface: BlueZ.objectManager, member: "InterfacesRemoved",
                body: [.objectPath(Self.adapter), .strings([BlueZ.adapter])]))
        answers.update { $0.power = .no }
    }

    /// Plugs the adapter in again, switched off.
    func plug() {
        let interfaces = [BusValue.string(BlueZ.adapter): BusValue.named(Self.properties(of: answers.value))]
        bus.emit(
            BusSignal(
                path: "/", interface: BlueZ.objectManager, member: "InterfacesAdded",
                body: [.objectPath(Self.adapter), .dictionary(keys: "s", values: "a{sv}", interfaces)]))
    }

    /// Calls an object of a program.
    func call(_ call: BusCall) async throws -> [BusValue] { try await bus.call(call) }

    private func handle(_ call: BusIncomingCall, _ answer: @escaping BusExport.Answer) {
        calls.update { $0.append(call.member) }
        caller.set(call.sender)
        if call.member == "RegisterAdvertisement", answers.value.refusals > 0 {
            answers.update { $0.refusals -= 1 }
            return answer(.failure(BlueZ.fault("Failed", "not now")))
        }
        guard call.member == "Set" else { return answer(.success([])) }
        if answers.value.busy > 0 {
            answers.update { $0.busy -= 1 }
            return answer(.failure(BlueZ.fault("Busy", "")))
        }
        answers.update { $0.power = .yes }
        answer(.success([]))
        bus.emit(
            BusSignal(
                path: call.path, interface: BlueZ.properties, member: "PropertiesChanged",
                body: [.string(BlueZ.adapter), .named(["Powered": .yes]), .strings([])]))
    }
}
