import HostSystem
import Synchronization

/// A watch's GATT services, as objects on the bus (`org.bluez.GattService1` and `org.bluez.GattCharacteristic1`). Their
/// paths begin with `root`. bluetoothd offers the services to other devices.
final class GATTApplication: Sendable {
    private struct Characteristic: Sendable {
        let uuid: BluetoothUUID
        var flags = ["read"]
        let value: @Sendable () -> [UInt8]
    }

    let root: String
    private let services: [(BluetoothUUID, [Characteristic])]
    private let battery: BatteryLevel
    /// The task that sends each new battery level to bluetoothd; nil if no device has subscribed to the level.
    private let notifications = Mutex<Task<Void, Never>?>(nil)

    init(watch: WatchServices, root: String) {
        self.root = root
        let (number, battery) = (watch.channelNumber, watch.battery)
        self.battery = battery
        let text: (BluetoothUUID, String) -> Characteristic = { uuid, text in
            Characteristic(uuid: uuid) { Array(text.utf8) }
        }
        services = [
            (.tapline, [Characteristic(uuid: .channelNumber) { [UInt8(number & 0xFF), UInt8(number >> 8)] }]),
            (
                .deviceInformation,
                [
                    text(.manufacturerName, "Tapline"), text(.modelNumber, "Tapline watch"),
                    text(.firmwareRevision, "1"),
                ]
            ),
            (.battery, [Characteristic(uuid: .batteryLevel, flags: ["read", "notify"]) { [battery.percent] }]),
        ]
    }

    deinit { stopListening() }

    func show(on link: BlueZLink) {
        link.export(.passive { [:] }, at: root)
        for (index, (uuid, characteristics)) in services.enumerated() {
            let service = "\(root)/service\(index)"
            let properties: [String: BusValue] = ["UUID": .string(uuid.rawValue), "Primary": .yes]
            link.export(.passive { [BlueZ.gattService: properties] }, at: service)
            for (place, characteristic) in characteristics.enumerated() {
                let path = "\(service)/characteristic\(place)"
                link.export(export(characteristic, at: path, of: service, on: link.bus), at: path)
            }
        }
    }

    private func export(
        _ characteristic: Characteristic, at path: String, of service: String, on bus: SystemBus
    ) -> BusExport {
        let properties: [String: BusValue] = [
            "UUID": .string(characteristic.uuid.rawValue), "Service": .objectPath(service),
            "Flags": .strings(characteristic.flags),
        ]
        return BusExport(properties: { [BlueZ.gattCharacteristic: properties] }) { [weak self, weak bus] call, answer in
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
    }

    func hide(from bus: SystemBus) {
        stopListening()
        bus.withdraw(root)
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
