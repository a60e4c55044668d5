package struct AttributeUUID: Hashable, Sendable, CustomStringConvertible {
    /// The UUID's 2 or 16 bytes, the least significant first.
    let bytes: [UInt8]

    init(bytes: some Collection<UInt8>) { self.bytes = Array(bytes) }

    package init(_ short: UInt16) { bytes = littleEndian(short) }

    /// - Parameter text: 4 or 32 hexadecimal digits, with or without dashes. Any other text gives nil.
    package init?(_ text: String) {
        guard let bytes = HexText.bytes(text.filter { $0 != "-" }), bytes.count == 2 || bytes.count == 16 else {
            return nil
        }
        self.bytes = bytes.reversed()
    }

    package var description: String {
        let digits = bytes.reversed().map(twoDigits)
        guard digits.count == 16 else { return digits.joined() }
        return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }.joined(separator: "-")
    }
}

/// The attribute that a command refers to: the attribute with this handle, or the value of the first discovered characteristic
/// with this UUID.
package enum AttributeTarget: Equatable, Sendable {
    case handle(UInt16)
    case uuid(AttributeUUID)
}

package struct CentralService: Equatable, Sendable {
    package struct Descriptor: Equatable, Sendable {
        package let handle: UInt16
        package let uuid: AttributeUUID
    }

    package struct Characteristic: Equatable, Sendable {
        package let uuid: AttributeUUID
        /// The handle of the characteristic's value.
        package let handle: UInt16
        /// The property bits of Bluetooth Core 5.3, Vol 3, Part G, section 3.3.1.1.
        package let properties: UInt8
        package var descriptors: [Descriptor] = []
    }

    package let uuid: AttributeUUID
    package let handles: ClosedRange<UInt16>
    package var characteristics: [Characteristic] = []
}

/// A client of the attribute protocol (Bluetooth Core 5.3, Vol 3, Part F, section 3.4; Part G, section 4). It queues its
/// requests, and sends the next request when the peripheral has answered the previous one.
struct AttributeClient: Sendable {
    private enum Request {
        case exchangeSizes
        case services(from: UInt16)
        /// Asks for the characteristics of the service with this index in `services`, from this handle on.
        case characteristics(Int, from: UInt16)
        /// Asks for the descriptors of a characteristic, from this handle on. The first number is the service's index in
        /// `services`. The second number is the characteristic's index in that service.
        case descriptors(Int, Int, from: UInt16)
        case read(handle: UInt16, soFar: [UInt8])
        case write(handle: UInt16, [UInt8])
    }

    /// The largest packet of the attribute protocol that this central accepts (MTU), in bytes.
    private static let mostBytes: UInt16 = 247

    private var size = 23
    private var open: Request?
    private var waiting: [Request] = [.exchangeSizes]
    private(set) var services: [CentralService] = []
    private var outgoing: [[UInt8]] = []
    private var events: [CentralEvent] = []

    init() { proceed() }

    mutating func takeOutgoing() -> [UInt8]? { outgoing.isEmpty ? nil : outgoing.removeFirst() }

    mutating func takeEvents() -> [CentralEvent] {
        defer { events = [] }
        return events
    }

    // MARK: Commands

    mutating func discover() {
        services = []
        add(.services(from: 1))
    }

    mutating func read(_ target: AttributeTarget) throws(AirError) { add(.read(handle: try handle(target), soFar: [])) }

    mutating func write(_ target: AttributeTarget, _ bytes: [UInt8], awaitsResponse: Bool) throws(AirError) {
        let handle = try handle(target)
        guard bytes.count <= size - 3 else { throw .valueTooLong }
        if awaitsResponse {
            add(.write(handle: handle, bytes))
        } else {
            outgoing.append([0x52] + littleEndian(handle) + bytes)
        }
    }

    /// Turns on a characteristic's notifications, or its indications if it has no notifications. Throws `unknownAttribute` if
    /// the central has not discovered the characteristic and its configuration descriptor.
    mutating func subscribe(_ target: AttributeTarget) throws(AirError) {
        let handle = try handle(target)
        let found = services.flatMap(\.characteristics).first { $0.handle == handle }
        let descriptor = found?.descriptors.first { $0.uuid == AttributeUUID(0x2902) }
        guard let found, let descriptor else { throw .unknownAttribute }
        add(.write(handle: descriptor.handle, [found.properties & 0x10 != 0 ? 1 : 2, 0]))
    }

    private func handle(_ target: AttributeTarget) throws(AirError) -> UInt16 {
        switch target {
        case .handle(let handle): return handle
        case .uuid(let uuid):
            let found = services.flatMap(\.characteristics).first { $0.uuid == uuid }
            guard let found else { throw .unknownAttribute }
            return found.handle
        }
    }

    private mutating func add(_ request: Request) {
        waiting.append(request)
        proceed()
    }

    private mutating func proceed() {
        guard open == nil, !waiting.isEmpty else { return }
        let request = waiting.removeFirst()
        open = request
        outgoing.append(pdu(request))
    }

    private func pdu(_ request: Request) -> [UInt8] {
        switch request {
        case .exchangeSizes: [0x02] + littleEndian(AttributeClient.mostBytes)
        case .services(let from): [0x10] + littleEndian(from) + [0xFF, 0xFF, 0x00, 0x28]
        case .characteristics(let service, let from):
            [0x08] + littleEndian(from) + littleEndian(services[service].handles.upperBound) + [0x03, 0x28]
        case .descriptors(let service, let index, let from):
            [0x04] + littleEndian(from) + littleEndian(lastHandle(service, index))
        case .read(let handle, let soFar):
            soFar.isEmpty
                ? [0x0A] + littleEndian(handle) : [0x0C] + littleEndian(handle) + littleEndian(UInt16(soFar.count))
        case .write(let handle, let bytes): [0x12] + littleEndian(handle) + bytes
        }
    }

    /// Returns the last handle that belongs to the characteristic with this index in this service. The next characteristic's
    /// declaration has the next handle, or the service ends here.
    private func lastHandle(_ service: Int, _ index: Int) -> UInt16 {
        let characteristics = services[service].characteristics
        return index + 1 < characteristics.count
            ? characteristics[index + 1].handle - 2 : services[service].handles.upperBound
    }

    // MARK: Answers

    mutating func receives(_ pdu: [UInt8]) {
        guard let opcode = pdu.first else { return }
        let body = pdu[1...]
        switch opcode {
        case 0x1B where body.count >= 2: events.append(.notification(handle: halfWord(body), Array(body.dropFirst(2))))
        case 0x1D where body.count >= 2:
            events.append(.indication(handle: halfWord(body), Array(body.dropFirst(2))))
            outgoing.append([0x1E])
        // The central has no attributes. It answers requests with its MTU or with "attribute not found".
        case 0x02: outgoing.append([0x03] + littleEndian(AttributeClient.mostBytes))
        case 0x04, 0x06, 0x08, 0x0A, 0x0C, 0x0E, 0x10, 0x12, 0x16, 0x18, 0x20:
            outgoing.append([0x01, opcode] + littleEndian(halfWord(body)) + [0x0A])
        case 0x01, 0x03, 0x05, 0x09, 0x0B, 0x0D, 0x11, 0x13: answer(opcode, body)
        case _: break
        }
        proceed()
    }

    private mutating func answer(_ opcode: UInt8, _ body: ArraySlice<UInt8>) {
        guard let request = open else { return }
        open = nil
        switch (request, opcode) {
        case (.exchangeSizes, 0x03): size = max(23, min(Int(halfWord(body)), Int(AttributeClient.mostBytes)))
        case (.exchangeSizes, _): break
        case (.services, 0x11): addServices(body)
        case (.services, _): discoverCharacteristics(of: 0)
        case (.characteristics(let service, _), 0x09): addCharacteristics(of: service, body)
        case (.characteristics(let service, _), _): discoverCharacteristics(of: service + 1)
        case (.descriptors(let service, let index, _), 0x05): addDescriptors(of: service, index, body)
        case (.descriptors(let service, let index, _), _): discoverDescriptors(of: service, index + 1)
        case (.read(let handle, let soFar), 0x0B), (.read(let handle, let soFar), 0x0D):
            let bytes = soFar + body
            if body.count == size - 1 && bytes.count < 512 {
                waiting.insert(.read(handle: handle, soFar: bytes), at: 0)
            } else {
                events.append(.value(handle: handle, bytes))
            }
        case (.read(let handle, let soFar), _):
            // These errors end a long value: "attribute not long" and "invalid offset".
            events.append(
                soFar.isEmpty ? .refused(handle: handle, code: body.last ?? 0) : .value(handle: handle, soFar))
        case (.write(let handle, _), 0x13): events.append(.written(handle: handle))
        case (.write(let handle, _), _): events.append(.refused(handle: handle, code: body.last ?? 0))
        }
    }

    private mutating func addServices(_ body: ArraySlice<UInt8>) {
        guard let count = body.first, count >= 6 else { return discoverCharacteristics(of: 0) }
        for entry in Array(body.dropFirst()).chunked(by: Int(count)) where entry.count == count {
            let first = halfWord(entry), last = halfWord(entry.dropFirst(2))
            guard first <= last else { continue }
            services.append(CentralService(uuid: AttributeUUID(bytes: entry.dropFirst(4)), handles: first...last))
        }
        guard let last = services.last?.handles.upperBound, last < 0xFFFF else { return discoverCharacteristics(of: 0) }
        waiting.insert(.services(from: last + 1), at: 0)
    }

    private mutating func discoverCharacteristics(of service: Int) {
        guard service < services.count else { return discoverDescriptors(of: 0, 0) }
        waiting.insert(.characteristics(service, from: services[service].handles.lowerBound), at: 0)
    }

    private mutating func addCharacteristics(of service: Int, _ body: ArraySlice<UInt8>) {
        guard let count = body.first, count >= 7 else { return discoverCharacteristics(of: service + 1) }
        for entry in Array(body.dropFirst()).chunked(by: Int(count)) where entry.count == count {
            let fields = Array(entry)
            services[service].characteristics.append(
                CentralService.Characteristic(
                    uuid: AttributeUUID(bytes: fields[5...]), handle: halfWord(fields[3...]), properties: fields[2]))
        }
        let last = services[service].characteristics.last?.handle ?? .max
        guard last < services[service].handles.upperBound else { return discoverCharacteristics(of: service + 1) }
        waiting.insert(.characteristics(service, from: last + 1), at: 0)
    }

    private mutating func discoverDescriptors(of service: Int, _ index: Int) {
        guard service < services.count else { return events.append(.services(services)) }
        guard index < services[service].characteristics.count else { return discoverDescriptors(of: service + 1, 0) }
        let handle = services[service].characteristics[index].handle
        guard handle < lastHandle(service, index) else { return discoverDescriptors(of: service, index + 1) }
        waiting.insert(.descriptors(service, index, from: handle + 1), at: 0)
    }

    private mutating func addDescriptors(of service: Int, _ index: Int, _ body: ArraySlice<UInt8>) {
        let count = body.first == 1 ? 4 : 18
        var last = UInt16.max
        for entry in Array(body.dropFirst()).chunked(by: count) where entry.count == count {
            last = halfWord(entry)
            let descriptor = CentralService.Descriptor(handle: last, uuid: AttributeUUID(bytes: entry.dropFirst(2)))
            services[service].characteristics[index].descriptors.append(descriptor)
        }
        guard last < lastHandle(service, index) else { return discoverDescriptors(of: service, index + 1) }
        waiting.insert(.descriptors(service, index, from: last + 1), at: 0)
    }
}
