import HostSystem

@testable import BluetoothBridge

/// A simulated bluetoothd on a private bus. It has one adapter, and records which methods are called.
final class MadeUpDaemon: Sendable {
    private struct Answers: Equatable {
        /// How many more times it is too busy to switch the adapter on.
        var busy: Int
        /// How many more times it refuses to advertise.
        var refusals = 0
        var power = BusValue.no
    }

    private static let adapter = "/org/bluez/hci0"

    private let bus: SystemBus
    private let answers: Published<Answers>
    let calls = Published<[String]>([])
    /// The unique bus name of the last caller.
    let caller = Published("")

    init(on place: PrivateBus, busy: Int = 0, refusing fault: BusFault? = nil) async throws {
        bus = try SystemBus(address: place.address)
        answers = Published(Answers(busy: busy))
        bus.export(.passive { [:] }, at: "/")
        let adapter = BusExport(properties: { [answers] in [BlueZ.adapter: Self.properties(of: answers.value)] }) {
            [weak self] call, answer in
            if let fault { answer(.failure(fault)) } else { self?.handle(call, answer) }
        }
        bus.export(adapter, at: Self.adapter)
        _ = try await bus.call(.ofBus("RequestName", .string(BlueZ.name), .number("u", 0)))
    }

    private static func properties(of answers: Answers) -> [String: BusValue] {
        ["Address": .string("00:AA:01:00:00:23"), "Alias": .string("made up"), "Powered": answers.power]
    }

    func refuseToAdvertise(_ times: Int) { answers.update { $0.refusals = times } }

    func unplug() {
        bus.emit(.removed(Self.adapter, BlueZ.adapter))
        answers.update { $0.power = .no }
    }

    /// Plugs the adapter in again. It is off at first.
    func plug() {
        bus.emit(.added(Self.adapter, BlueZ.adapter, Self.properties(of: answers.value)))
    }

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
        bus.emit(.changed(call.path, BlueZ.adapter, ["Powered": .yes]))
    }
}

extension BusSignal {
    static func added(_ path: String, _ interface: String, _ properties: [String: BusValue]) -> BusSignal {
        let interfaces = [BusValue.string(interface): BusValue.named(properties)]
        return BusSignal(
            path: "/", interface: BlueZ.objectManager, member: "InterfacesAdded",
            body: [.objectPath(path), .dictionary(keys: "s", values: "a{sv}", interfaces)])
    }

    static func removed(_ path: String, _ interface: String) -> BusSignal {
        BusSignal(
            path: "/", interface: BlueZ.objectManager, member: "InterfacesRemoved",
            body: [.objectPath(path), .strings([interface])])
    }

    static func changed(
        _ path: String, _ interface: String, _ new: [String: BusValue], gone: [String] = [], sender: String? = nil
    ) -> BusSignal {
        BusSignal(
            sender: sender, path: path, interface: BlueZ.properties, member: "PropertiesChanged",
            body: [.string(interface), .named(new), .strings(gone)])
    }
}
