import DeviceModel
import HostSystem
import WatchLink

extension MachineRunner {
    /// How long `phone scan` listens for watches.
    private static let scanTime = Microseconds.seconds(3)
    /// The maximum time that the runner waits for an event of the central, such as the watch's answer.
    private static let answerTime = Microseconds.seconds(30)
    /// The maximum time until a change to the phone's list reaches the watch.
    private static let deliveryTime = Microseconds.seconds(60)

    mutating func phone(_ action: MachineCommand.PhoneAction) throws(ScriptError) -> String? {
        if machine.part.air.central == nil {
            let central = Central(seed: seed &+ 1)
            try command { air throws(AirError) in try air.add(central) }
        }
        events = []
        switch action {
        case .scan: return try scan()
        case .connect(let name):
            if machine.part.air.central?.connectionTiming != nil {
                throw error(.other("the phone is connected already: phone disconnect first"))
            }
            let address = BluetoothAddress(name, isRandom: true)
            try command(address.map { .connect($0) } ?? .connectTo(name: name))
            _ = try answer("a connection") { if case .connected = $0 { true } else { false } }
            try awaitFirstEvent()
        case .discover:
            try command(.discover)
            let answer = try answer("the services") { if case .services = $0 { true } else { false } }
            if case .services(let found) = answer { services = found }
            let count = services.reduce(0) { $0 + $1.characteristics.count }
            return "\(services.count) services, \(count) characteristics: "
                + services.map { "\($0.uuid)" }.joined(separator: " ")
        case .read(let uuid):
            try command(.read(.uuid(uuid)))
            if case .value(_, let bytes) = try answer("a value", isOfAttribute) { return MachineRunner.words(bytes) }
        case .write(let uuid, let bytes):
            let found = services.flatMap(\.characteristics).first { $0.uuid == uuid }
            // The properties "write" and "write without response" (Bluetooth Core 5.3, Vol 3, Part G, section 3.3.1.1).
            let awaits = (found?.properties ?? 0x08) & 0x0C != 0x04
            try command(.write(.uuid(uuid), bytes, awaitsResponse: awaits))
            if awaits { _ = try answer("an answer", isOfAttribute) }
        case .subscribe(let uuid):
            try command(.subscribe(.uuid(uuid)))
            _ = try answer("an answer", isOfAttribute)
        case .pair:
            try command(.pair)
            return try paired()
        case .confirm(let isEqual):
            try command(.confirm(isEqual))
            if isEqual { return try paired() }
            _ = try answer("the end of the pairing") { if case .pairingFailed = $0 { true } else { false } }
        case .disconnect:
            try command(.disconnect)
            _ = try answer("the end of the connection") { if case .disconnected = $0 { true } else { false } }
        }
        return nil
    }

    /// Throws if the only phone is on the serial line, because faults of the radio do not affect that phone.
    func requireRadio() throws(ScriptError) {
        guard phoneLine == nil || machine.part.air.central != nil else {
            throw error(.other("the phone is on the serial line, which has no such faults: phone connect NAME first"))
        }
    }

    /// Changes the phone's list, and waits until the watch has the change. Throws if that takes longer than 60 s, or if the
    /// firmware ends first.
    mutating func change(_ edit: ScriptPhoneEdit) throws(ScriptError) {
        let phone = try ownPhone
        do throws(ScriptPhoneError) { try phone.make(edit) } catch {
            throw self.error(.phoneFailed(reason: error.reason))
        }
        let end = machine.now + MachineRunner.deliveryTime.count * 64
        while phone.delivery(awaitingAbsent: true) != .arrived {
            guard machine.now < end, !hasEnded else {
                throw error(.phoneFailed(reason: "the change has not arrived at the watch"))
            }
            try advance(to: machine.now + MachineRunner.slice)
        }
        lastInput = machine.now
    }

    func countLeft() throws(ScriptError) -> Int {
        let phone = try ownPhone
        do throws(ScriptPhoneError) { return try phone.left() } catch {
            throw self.error(.phoneFailed(reason: error.reason))
        }
    }

    private var ownPhone: any ScriptPhone {
        get throws(ScriptError) {
            guard let phone = phoneLine?.phone else { throw error(.noPhone("the phone's list")) }
            return phone
        }
    }

    private mutating func command(_ body: (inout Air) throws(AirError) -> Void) throws(ScriptError) {
        do throws(AirError) { try body(&machine.part.air) } catch { throw self.error(.other("the phone: \(error)")) }
    }

    private mutating func command(_ command: CentralCommand) throws(ScriptError) {
        let now = machine.now
        try self.command { air throws(AirError) in try air.command(command, at: now) }
    }

    private mutating func scan() throws(ScriptError) -> String {
        try command(.scan)
        try pass(MachineRunner.scanTime)
        var names: [BluetoothAddress: String] = [:]
        var order: [BluetoothAddress] = []
        for case .found(let address, let name, let strength) in events {
            if names[address] == nil { order.append(address) }
            names[address] = "\(SanitizedLine(name ?? "without a name")) (\(address), \(strength) dBm)"
        }
        try command(.disconnect)
        return order.isEmpty ? "no watch" : order.map { names[$0] ?? "" }.joined(separator: ", ")
    }

    /// Waits at most 30 s for an event that `isWanted` accepts. Throws if no such event comes, if the watch refuses access to
    /// an attribute, or if the connection ends.
    ///
    /// - Parameter what: the event's name in the error.
    private mutating func answer(
        _ what: String, _ isWanted: (CentralEvent) -> Bool
    ) throws(ScriptError) -> CentralEvent {
        let end = machine.now + MachineRunner.answerTime.count * 64
        while true {
            for event in events {
                if case .refused(let handle, let code) = event {
                    throw error(
                        .phoneFailed(
                            reason:
                                "the watch refuses the access of handle \(handle) (error 0x\(String(code, radix: 16)))")
                    )
                }
                if isWanted(event) { return event }
                if case .disconnected(let reason) = event {
                    throw error(.phoneFailed(reason: "the connection ended (reason 0x\(String(reason, radix: 16)))"))
                }
            }
            guard machine.now < end else {
                throw error(.expectationFailed(expected: "\(what) within 30 s", found: "none"))
            }
            try advance(to: machine.now + 640_000)
        }
    }

    /// Waits at most 5 s for the watch's first packet in a new connection. Throws if no packet comes. The event `.connected`
    /// shows only that the central has sent the connection request.
    private mutating func awaitFirstEvent() throws(ScriptError) {
        events.removeAll { if case .connected = $0 { true } else { false } }
        let end = machine.now + 5 * Machine.cyclesPerSecond
        while machine.now < end {
            if let counts = machine.part.air.central?.counts, counts.events > counts.missed { return }
            if events.contains(where: { if case .disconnected = $0 { true } else { false } }) { break }
            try advance(to: machine.now + 640_000)
        }
        throw error(.phoneFailed(reason: "the watch has not answered in the connection"))
    }

    private mutating func paired() throws(ScriptError) -> String {
        let answer = try answer("the end of the pairing") {
            if case .comparison = $0 { true } else if case .pairingFailed = $0 { true } else { $0 == .encrypted }
        }
        if case .comparison(let number) = answer {
            let digits = String(number)
            return
                "compare \(String(repeating: "0", count: max(0, 6 - digits.count)))\(digits), then phone confirm yes or no"
        }
        if case .pairingFailed(let reason) = answer {
            throw error(.phoneFailed(reason: "the pairing failed (reason \(reason))"))
        }
        return "the connection is encrypted"
    }

    private func isOfAttribute(_ event: CentralEvent) -> Bool {
        if case .value = event { true } else if case .written = event { true } else { false }
    }

    /// Prints notifications, indications and the end of the connection. Adds every event except notifications and indications
    /// to `events`.
    mutating func hear(_ events: [CentralEvent]) {
        for event in events {
            switch event {
            case .notification(let handle, let bytes):
                tell("notification \(uuid(handle)): \(MachineRunner.words(bytes))")
            case .indication(let handle, let bytes): tell("indication \(uuid(handle)): \(MachineRunner.words(bytes))")
            case .disconnected(let reason):
                tell("the connection ended (reason 0x\(String(reason, radix: 16)))")
                self.events.append(event)
            case .found, .connected, .services, .value, .written, .refused, .comparison, .encrypted, .pairingFailed:
                self.events.append(event)
            }
        }
    }

    private func uuid(_ handle: UInt16) -> String {
        let found = services.flatMap(\.characteristics).first { $0.handle == handle }
        return found.map { "\($0.uuid)" } ?? "of handle \(handle)"
    }

    /// Returns the bytes as hexadecimal digits. If all bytes are printable ASCII, adds the text in quotation marks.
    private static func words(_ bytes: [UInt8]) -> String {
        let digits = bytes.map(HexText.byte).joined()
        let isText = !bytes.isEmpty && bytes.allSatisfy { (0x20..<0x7F).contains($0) }
        return isText ? "\(digits) \"\(String(decoding: bytes, as: UTF8.self))\"" : digits
    }
}
