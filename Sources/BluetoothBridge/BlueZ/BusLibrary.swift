import CSystemBus
import HostSystem
import SystemPackage

/// A connection to a message bus through sd-bus; all calls of that library are here.
///
/// One thread at a time uses it. The library has no callbacks, so it holds no pointer of ours; Swift code keeps the
/// object paths of this process and its matches.
final class BusLibrary {
    private let bus: OpaquePointer
    private let connection: UInt64
    private var calls: [UInt64: OpaquePointer] = [:]
    private var lastCall: UInt64 = 0

    /// Starts to connect to a bus at an address such as `unix:path=/run/dbus/system_bus_socket`.
    ///
    /// - Parameter connection: the connection's number in those of incoming calls.
    /// - Throws: `.noBus` if no bus listens at the address.
    init(address: String, connection: UInt64) throws(BluetoothError) {
        var made: OpaquePointer?
        let failure = sd_bus_new(&made)
        guard failure >= 0, let bus = made else { throw BusLibrary.lost(failure) }
        self.bus = bus
        self.connection = connection
        for result in [
            sd_bus_set_address(bus, address), sd_bus_set_bus_client(bus, 1), sd_bus_negotiate_fds(bus, 0),
            sd_bus_start(bus),
        ] where result < 0 {
            throw BusLibrary.lost(result)
        }
    }

    deinit {
        for message in calls.values { sd_bus_message_unref(message) }
        sd_bus_close_unref(bus)
    }

    var interest: PolledDescriptor {
        PolledDescriptor(sd_bus_get_fd(bus), events: Int16(clamping: max(sd_bus_get_events(bus), 0)))
    }

    /// The microseconds until the library wants to be asked even if nothing arrives; nil for never.
    var timeout: UInt64? {
        var due: UInt64 = .max
        guard sd_bus_get_timeout(bus, &due) > 0, due != .max else { return nil }
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return due - min(due, UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1000)
    }

    /// Returns the next message of the bus, and sends waiting messages.
    ///
    /// - Throws: `.noBus` if the connection is lost.
    func next() throws(BluetoothError) -> BusArrival {
        var taken: OpaquePointer?
        let result = sd_bus_process(bus, &taken)
        guard result >= 0 else { throw BusLibrary.lost(result) }
        guard result > 0 else { return .nothing }
        guard let message = taken else { return .housekeeping }
        defer { sd_bus_message_unref(message) }
        return read(message)
    }

    /// Sends a method call. The bus starts no program for it: a call to one that does not run fails at once.
    ///
    /// - Returns: the cookie in the answer.
    func send(_ call: BusCall) throws(BluetoothError) -> UInt64 {
        var made: OpaquePointer?
        try BusLibrary.check(
            sd_bus_message_new_method_call(bus, &made, call.destination, call.path, call.interface, call.member),
            "sd_bus_message_new_method_call")
        return try send(made, call.body) { sd_bus_message_set_auto_start($0, 0) }
    }

    func send(_ signal: BusSignal) throws(BluetoothError) {
        var made: OpaquePointer?
        try BusLibrary.check(
            sd_bus_message_new_signal(bus, &made, signal.path, signal.interface, signal.member),
            "sd_bus_message_new_signal")
        _ = try send(made, signal.body) { _ in 0 }
    }

    /// Answers an incoming call, once. A call of an earlier connection has no caller any more.
    func answer(_ number: BusIncomingCall.Number, _ result: Result<[BusValue], BusFault>) throws(BluetoothError) {
        guard number.connection == connection, let call = calls.removeValue(forKey: number.call) else { return }
        defer { sd_bus_message_unref(call) }
        var made: OpaquePointer?
        switch result {
        case .success(let body):
            try BusLibrary.check(sd_bus_message_new_method_return(call, &made), "sd_bus_message_new_method_return")
            _ = try send(made, body) { _ in 0 }
        case .failure(let fault):
            let failure = fault.name.withCString { name in
                fault.message.withCString { message in
                    var error = sd_bus_error(name: name, message: message, _need_free: 0)
                    return sd_bus_message_new_method_error(call, &made, &error)
                }
            }
            try BusLibrary.check(failure, "sd_bus_message_new_method_error")
            _ = try send(made, []) { _ in 0 }
        }
    }

    private func send(
        _ made: OpaquePointer?, _ body: [BusValue], _ prepare: (OpaquePointer) -> CInt
    ) throws(BluetoothError) -> UInt64 {
        guard let message = made else { throw .system(call: "sd_bus_message_new", .noMemory) }
        defer { sd_bus_message_unref(message) }
        try BusLibrary.check(prepare(message), "sd_bus_message_set_auto_start")
        for value in body { try BusLibrary.append(value, to: message) }
        var cookie: UInt64 = 0
        let failure = sd_bus_send(bus, message, &cookie)
        guard failure >= 0 else { throw BusLibrary.lost(failure) }
        return cookie
    }

    /// Reads a message; a call is kept until it is answered.
    private func read(_ message: OpaquePointer) -> BusArrival {
        var kind: UInt8 = 0
        var cookie: UInt64 = 0
        sd_bus_message_get_type(message, &kind)
        sd_bus_message_get_reply_cookie(message, &cookie)
        switch Int(kind) {
        case Int(SD_BUS_MESSAGE_METHOD_RETURN):
            guard let body = BusLibrary.body(of: message) else { return .unreadable(to: cookie) }
            return .answer(to: cookie, body)
        case Int(SD_BUS_MESSAGE_METHOD_ERROR):
            let error = sd_bus_message_get_error(message)
            let fault = BusFault(name: text(error?.pointee.name), message: text(error?.pointee.message))
            return .fault(to: cookie, fault)
        case Int(SD_BUS_MESSAGE_SIGNAL):
            // A signal that cannot be read has no arguments, and its listeners ignore it.
            return .signal(
                BusSignal(
                    sender: text(sd_bus_message_get_sender(message)), path: text(sd_bus_message_get_path(message)),
                    interface: text(sd_bus_message_get_interface(message)),
                    member: text(sd_bus_message_get_member(message)), body: BusLibrary.body(of: message) ?? []))
        case Int(SD_BUS_MESSAGE_METHOD_CALL):
            lastCall += 1
            calls[lastCall] = sd_bus_message_ref(message)
            return .call(
                BusIncomingCall(
                    number: BusIncomingCall.Number(connection: connection, call: lastCall),
                    sender: text(sd_bus_message_get_sender(message)), path: text(sd_bus_message_get_path(message)),
                    interface: sd_bus_message_get_interface(message).map { String(cString: $0) },
                    member: text(sd_bus_message_get_member(message)), body: BusLibrary.body(of: message) ?? []))
        default: return .housekeeping
        }
    }

    private func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }

    /// The error of a connection that failed or is lost; the library returns errno, negated.
    private static func lost(_ result: CInt) -> BluetoothError { .noBus("\(Errno(rawValue: -result))") }

    private static func check(_ result: CInt, _ name: String) throws(BluetoothError) {
        guard result >= 0 else { throw .system(call: name, Errno(rawValue: -result)) }
    }
}

/// Writing values.
extension BusLibrary {
    private static func append(_ value: BusValue, to message: OpaquePointer) throws(BluetoothError) {
        switch value {
        case .byte(let number): try append(number, SD_BUS_TYPE_BYTE, to: message)
        case .no: try append(CInt(0), SD_BUS_TYPE_BOOLEAN, to: message)
        case .yes: try append(CInt(1), SD_BUS_TYPE_BOOLEAN, to: message)
        case .int16(let number): try append(number, SD_BUS_TYPE_INT16, to: message)
        case .uint16(let number): try append(number, SD_BUS_TYPE_UINT16, to: message)
        case .int32(let number): try append(number, SD_BUS_TYPE_INT32, to: message)
        case .uint32(let number): try append(number, SD_BUS_TYPE_UINT32, to: message)
        case .int64(let number): try append(number, SD_BUS_TYPE_INT64, to: message)
        case .uint64(let number): try append(number, SD_BUS_TYPE_UINT64, to: message)
        case .double(let number): try append(number, SD_BUS_TYPE_DOUBLE, to: message)
        case .string(let text): try append(text, SD_BUS_TYPE_STRING, to: message)
        case .objectPath(let text): try append(text, SD_BUS_TYPE_OBJECT_PATH, to: message)
        case .signature(let text): try append(text, SD_BUS_TYPE_SIGNATURE, to: message)
        case .array(let element, let values):
            try contain(SD_BUS_TYPE_ARRAY, element, in: message) { () throws(BluetoothError) in
                for value in values { try append(value, to: message) }
            }
        case .dictionary(let keys, let values, let pairs):
            try contain(SD_BUS_TYPE_ARRAY, "{" + keys + values + "}", in: message) { () throws(BluetoothError) in
                for (key, value) in pairs {
                    try contain(SD_BUS_TYPE_DICT_ENTRY, keys + values, in: message) { () throws(BluetoothError) in
                        try append(key, to: message)
                        try append(value, to: message)
                    }
                }
            }
        case .structure(let fields):
            let contents = fields.map(\.signature).joined()
            try contain(SD_BUS_TYPE_STRUCT, contents, in: message) { () throws(BluetoothError) in
                for field in fields { try append(field, to: message) }
            }
        case .variant(let inner):
            try contain(SD_BUS_TYPE_VARIANT, inner.signature, in: message) { () throws(BluetoothError) in
                try append(inner, to: message)
            }
        }
    }

    private static func append(
        _ number: some BitwiseCopyable, _ type: Int, to message: OpaquePointer
    ) throws(BluetoothError) {
        var number = number
        try check(sd_bus_message_append_basic(message, CChar(type), &number), "sd_bus_message_append_basic")
    }

    private static func append(_ text: String, _ type: Int, to message: OpaquePointer) throws(BluetoothError) {
        let result = text.withCString { sd_bus_message_append_basic(message, CChar(type), $0) }
        try check(result, "sd_bus_message_append_basic")
    }

    private static func contain(
        _ type: Int, _ contents: String, in message: OpaquePointer, _ fill: () throws(BluetoothError) -> Void
    ) throws(BluetoothError) {
        try check(sd_bus_message_open_container(message, CChar(type), contents), "sd_bus_message_open_container")
        try fill()
        try check(sd_bus_message_close_container(message), "sd_bus_message_close_container")
    }
}

/// Reading values.
extension BusLibrary {
    /// The arguments of a message; nil if one of them is of a type that `BusValue` does not have.
    private static func body(of message: OpaquePointer) -> [BusValue]? {
        var values: [BusValue] = []
        while sd_bus_message_at_end(message, 1) == 0 {
            guard let value = read(message) else { return nil }
            values.append(value)
        }
        return values
    }

    private static func read(_ message: OpaquePointer) -> BusValue? {
        var kind: CChar = 0
        var pointer: UnsafePointer<CChar>?
        guard sd_bus_message_peek_type(message, &kind, &pointer) > 0 else { return nil }
        switch Int(kind) {
        case SD_BUS_TYPE_BYTE: return read(message, kind, UInt8(0)).map(BusValue.byte)
        case SD_BUS_TYPE_BOOLEAN: return read(message, kind, CInt(0)).map { .boolean($0 != 0) }
        case SD_BUS_TYPE_INT16: return read(message, kind, Int16(0)).map(BusValue.int16)
        case SD_BUS_TYPE_UINT16: return read(message, kind, UInt16(0)).map(BusValue.uint16)
        case SD_BUS_TYPE_INT32: return read(message, kind, Int32(0)).map(BusValue.int32)
        case SD_BUS_TYPE_UINT32: return read(message, kind, UInt32(0)).map(BusValue.uint32)
        case SD_BUS_TYPE_INT64: return read(message, kind, Int64(0)).map(BusValue.int64)
        case SD_BUS_TYPE_UINT64: return read(message, kind, UInt64(0)).map(BusValue.uint64)
        case SD_BUS_TYPE_DOUBLE: return read(message, kind, Double(0)).map(BusValue.double)
        case SD_BUS_TYPE_STRING: return readText(message, kind).map(BusValue.string)
        case SD_BUS_TYPE_OBJECT_PATH: return readText(message, kind).map(BusValue.objectPath)
        case SD_BUS_TYPE_SIGNATURE: return readText(message, kind).map(BusValue.signature)
        default: return readContainer(message, kind, pointer.map { String(cString: $0) } ?? "")
        }
    }

    private static func readContainer(_ message: OpaquePointer, _ kind: CChar, _ contents: String) -> BusValue? {
        guard sd_bus_message_enter_container(message, kind, contents) > 0 else { return nil }
        var values: [BusValue] = []
        while sd_bus_message_at_end(message, 0) == 0 {
            guard let value = read(message) else { return nil }
            values.append(value)
        }
        guard sd_bus_message_exit_container(message) >= 0 else { return nil }
        switch Int(kind) {
        case SD_BUS_TYPE_ARRAY where contents.hasPrefix("{"): return dictionary(contents, values)
        case SD_BUS_TYPE_ARRAY: return .array(of: contents, values)
        case SD_BUS_TYPE_STRUCT, SD_BUS_TYPE_DICT_ENTRY: return .structure(values)
        case SD_BUS_TYPE_VARIANT: return values.first.map(BusValue.variant)
        default: return nil
        }
    }

    /// A dictionary from its entries; of two with one key the later counts. The key's type is one letter.
    private static func dictionary(_ contents: String, _ entries: [BusValue]) -> BusValue {
        var pairs: [BusValue: BusValue] = [:]
        for case .structure(let entry) in entries where entry.count == 2 { pairs[entry[0]] = entry[1] }
        let keys = String(contents.dropFirst().prefix(1))
        return .dictionary(keys: keys, values: String(contents.dropFirst(2).dropLast()), pairs)
    }

    private static func read<Number: BitwiseCopyable>(
        _ message: OpaquePointer, _ kind: CChar, _ zero: Number
    ) -> Number? {
        var number = zero
        return sd_bus_message_read_basic(message, kind, &number) > 0 ? number : nil
    }

    private static func readText(_ message: OpaquePointer, _ kind: CChar) -> String? {
        var text: UnsafePointer<CChar>?
        guard sd_bus_message_read_basic(message, kind, &text) > 0 else { return nil }
        return text.map { String(cString: $0) }
    }
}
