import HostSystem
import Synchronization

/// The objects of a watch's services: `org.bluez.GattService1` and `org.bluez.GattCharacteristic1` below a root.
final class GATTApplication: Sendable {
    private struct Characteristic: Sendable {
        let uuid: BluetoothUUID
        let flags: [String]
        let value: @Sendable () -> [UInt8]
    }

    let root: String
    private let services: [(uuid: BluetoothUUID, characteristics: [Characteristic])]
    private let battery: BatteryLevel
    /// Sends notifications of the battery level, while a device wants them.
    private let notifications = Mutex<Task<Void, Never>?>(nil)

    init(watch: WatchServices, root: String) {
        self.root = root
        let number = watch.channelNumber
        let battery = watch.battery
        self.battery = battery
        let text: (BluetoothUUID, String) -> Characteristic = { uuid, text in
            Characteristic(uuid: uuid, flags: ["read"], value: { Array(text.utf8) })
        }
        services = [
            (
                .tapline,
                [
                    Characteristic(
                        uuid: .channelNumber, flags: ["read"], value: { [UInt8(number & 0xFF), UInt8(number >> 8)] })
                ]
            ),
            (
                .deviceInformation,
                [
                    text(.manufacturerName, "Tapline"), text(.modelNumber, "Tapline watch"),
                    text(.firmwareRevision, "1"),
                ]
            ),
            (
                .battery,
                [Characteristic(uuid: .batteryLevel, flags: ["read", "notify"], value: { [battery.percent] })]
            ),
        ]
    }

    deinit { stopListening() }

    func show(on link: BlueZLink) {
        link.export(.passive { [:] }, at: root)
        for (index, service) in services.enumerated() {
            let path = "\(root)/service\(index)"
            let properties: [String: BusValue] = ["UUID": .string(service.uuid.rawValue), "Primary": .yes]
            link.export(.passive { [BlueZ.gattService: properties] }, at: path)
            for (place, characteristic) in service.characteristics.enumerated() {
                show(characteristic, of: path, at: "\(path)/characteristic\(place)", on: link)
            }
        }
    }

    func hide(from bus: SystemBus) {
        stopListening()
        for (index, service) in services.enumerated() {
            let path = "\(root)/service\(index)"
            for place in service.characteristics.indices { bus.withdraw("\(path)/characteristic\(place)") }
            bus.withdraw(path)
        }
        bus.withdraw(root)
    }

    private func show(_ characteristic: Characteristic, of service: String, at path: String, on link: BlueZLink) {
        let properties: @Sendable () -> [String: [String: BusValue]] = {
            [
                BlueZ.gattCharacteristic: [
                    "UUID": .string(characteristic.uuid.rawValue), "Service": .objectPath(service),
                    "Flags": .strings(characteristic.flags),
                ]
            ]
        }
        let object = BusExport(properties: properties) { [weak self, weak bus = link.bus] call, answer in
            switch call.member {
            case "ReadValue": answer(GATTApplication.read(characteristic.value(), call))
            case "StartNotify" where characteristic.flags.contains("notify"):
                if let bus { self?.startListening(path, bus) }
                answer(.success([]))
            case "StopNotify" where characteristic.flags.contains("notify"):
                self?.stopListening()
                answer(.success([]))
            default: answer(.failure(BlueZ.fault("NotSupported", "no \(call.member) here")))
            }
        }
        link.export(object, at: path)
    }

    private static func read(_ value: [UInt8], _ call: BusIncomingCall) -> Result<[BusValue], BusFault> {
        let offset = call.body.first?.fields?["offset"]?.number ?? 0
        guard offset >= 0, offset <= value.count else {
            return .failure(BlueZ.fault("InvalidOffset", "the value has \(CountText(value.count, "byte"))"))
        }
        return .success([.bytes(Array(value.dropFirst(offset)))])
    }

    private func startListening(_ path: String, _ bus: SystemBus) {
        let levels = battery.levels()
        let task = Task { [weak bus] in
            for await level in levels {
                bus?.emit(
                    BusSignal(
                        path: path, interface: BlueZ.properties, member: "PropertiesChanged",
                        body: [
                            .string(BlueZ.gattCharacteristic), .named(["Value": .bytes([level])]), .strings([]),
                        ]))
            }
        }
        exchange(task)
    }

    private func stopListening() { exchange(nil) }

    private func exchange(_ new: Task<Void, Never>?) {
        let before = notifications.withLock { notifications in
            defer { notifications = new }
            return notifications
        }
        before?.cancel()
    }
}
