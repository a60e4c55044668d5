import CSystemBus
import HostSystem
import SystemPackage

/// A connection to a message bus. This is the only type that calls the library sd-bus. Only one thread at a time may use
/// a connection. This type registers no callbacks with sd-bus, so sd-bus holds no pointers to Swift objects.
final class BusLibrary {
    private let bus: OpaquePointer
    private var calls: [UInt64: OpaquePointer] = [:]
    private var lastCall: UInt64

    /// Starts to connect to an address such as `unix:path=/run/dbus/system_bus_socket`. The numbers of incoming calls
    /// contain `connection` in their upper 32 bits. Each new connection therefore needs a new value of `connection`.
    /// Throws `.noBus` if no bus listens at the address.
    init(address: String, connection: UInt64) throws(BluetoothError) {
        var made: OpaquePointer?
        let failure = sd_bus_new(&made)
        guard failure >= 0, let bus = made else { throw BusLibrary.lost(failure) }
        self.bus = bus
        lastCall = connection << 32
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

    /// The maximum time in microseconds until `next` must be called, even if nothing arrives; nil if there is no maximum.
    var timeout: UInt64? {
        var due: UInt64 = .max
        guard sd_bus_get_timeout(bus, &due) > 0, due != .max else { return nil }
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return due - min(due, UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1000)
    }

    /// Sends messages that are queued, and returns the next message that has arrived. Does not block. Throws `.noBus` if
    /// the connection is lost.
    func next() throws(BluetoothError) -> BusArrival {
        var taken: OpaquePointer?
        let result = sd_bus_process(bus, &taken)
        guard result >= 0 else { throw BusLibrary.lost(result) }
        guard result > 0 else { return .nothing }
        guard let message = taken else { return .housekeeping }
        defer { sd_bus_message_unref(message) }
        return read(message)
    }

    /// Sends a call. Returns its cookie, the D-Bus serial number that the answer will refer to. If the called program does
    /// not run, the bus answers with an error at once instead of starting the program.
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

    /// Answers the incoming call with this number. Does nothing if the call came over an earlier connection, because its
    /// caller no longer waits.
    func answer(_ number: UInt64, _ result: Result<[BusValue], BusFault>) throws(BluetoothError) {
        guard let call = calls.removeValue(forKey: number) else { return }
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

    /// Converts a message of sd-bus. Retains a method call until `answer` releases it.
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
            // An unreadable signal gets no arguments, and its listeners ignore it.
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
                    number: lastCall, sender: text(sd_bus_message_get_sender(message)),
                    path: text(sd_bus_message_get_path(message)),
                    interface: sd_bus_message_get_interface(message).map { String(cString: $0) },
                    member: text(sd_bus_message_get_member(message)), body: BusLibrary.body(of: message) ?? []))
        default: return .housekeeping
        }
    }

    private func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }

    /// Makes the error for a lost connection from `result`, a negated errno that sd-bus returned.
    private static func lost(_ result: CInt) -> BluetoothError { .noBus("\(Errno(rawValue: -result))") }

    private static func check(_ result: CInt, _ name: String) throws(BluetoothError) {
        guard result >= 0 else { throw .system(call: name, Errno(rawValue: -result)) }
    }
}

extension BusLibrary {
    private static func append(_ value: BusValue, to message: OpaquePointer) throws(BluetoothError) {
        switch value {
        // On a little-endian machine the low bytes come first, so sd-bus reads a shorter type from the start of the 64 bits.
        case .boolean(let value): try append(value ? 1 : 0, "b", to: message)
        case .number(let type, let bits): try append(bits, type, to: message)
        case .string(let text): try append(text, "s", to: message)
        case .objectPath(let text): try append(text, "o", to: message)
        case .signature(let text): try append(text, "g", to: message)
        case .array(let element, let values):
            try contain("a", element, in: message) { () throws(BluetoothError) in
                for value in values { try append(value, to: message) }
            }
        case .dictionary(let keys, let values, let pairs):
            try contain("a", "{" + keys + values + "}", in: message) { () throws(BluetoothError) in
                for (key, value) in pairs {
                    try contain("e", keys + values, in: message) { () throws(BluetoothError) in
                        try append(key, to: message)
                        try append(value, to: message)
                    }
                }
            }
        case .structure(let fields):
            let contents = fields.map(\.signature).joined()
            try contain("r", contents, in: message) { () throws(BluetoothError) in
                for field in fields { try append(field, to: message) }
            }
        case .variant(let inner):
            try contain("v", inner.signature, in: message) { () throws(BluetoothError) in
                try append(inner, to: message)
            }
        }
    }

    private static func append(
        _ bits: Int64, _ type: Character, to message: OpaquePointer
    ) throws(BluetoothError) {
        var bits = bits
        try check(sd_bus_message_append_basic(message, letter(type), &bits), "sd_bus_message_append_basic")
    }

    private static func append(_ text: String, _ type: Character, to message: OpaquePointer) throws(BluetoothError) {
        let result = text.withCString { sd_bus_message_append_basic(message, letter(type), $0) }
        try check(result, "sd_bus_message_append_basic")
    }

    private static func letter(_ type: Character) -> CChar { CChar(type.asciiValue ?? 0) }

    private static func contain(
        _ type: Character, _ contents: String, in message: OpaquePointer, _ fill: () throws(BluetoothError) -> Void
    ) throws(BluetoothError) {
        try check(sd_bus_message_open_container(message, letter(type), contents), "sd_bus_message_open_container")
        try fill()
        try check(sd_bus_message_close_container(message), "sd_bus_message_close_container")
    }
}

extension BusLibrary {
    /// Reads the arguments of a message. Returns nil if an argument has a type that `BusValue` lacks.
    private static func body(of message: OpaquePointer) -> [BusValue]? { values(in: message, toEndOfMessage: 1) }

    private static func values(in message: OpaquePointer, toEndOfMessage complete: CInt) -> [BusValue]? {
        var values: [BusValue] = []
        while sd_bus_message_at_end(message, complete) == 0 {
            guard let value = read(message) else { return nil }
            values.append(value)
        }
        return values
    }

    private static func read(_ message: OpaquePointer) -> BusValue? {
        var kind: CChar = 0
        var pointer: UnsafePointer<CChar>?
        guard sd_bus_message_peek_type(message, &kind, &pointer) > 0 else { return nil }
        let type = Character(UnicodeScalar(UInt8(bitPattern: kind)))
        switch type {
        case "b": return readBits(message, kind).map { .boolean($0 != 0) }
        case "n": return readBits(message, kind).map { .number(type, Int64(Int16(truncatingIfNeeded: $0))) }
        case "i": return readBits(message, kind).map { .number(type, Int64(Int32(truncatingIfNeeded: $0))) }
        case "y", "q", "u", "x", "t", "d": return readBits(message, kind).map { .number(type, $0) }
        case "s": return readText(message, kind).map(BusValue.string)
        case "o": return readText(message, kind).map(BusValue.objectPath)
        case "g": return readText(message, kind).map(BusValue.signature)
        default: return readContainer(message, kind, type, pointer.map { String(cString: $0) } ?? "")
        }
    }

    private static func readContainer(
        _ message: OpaquePointer, _ kind: CChar, _ type: Character, _ contents: String
    ) -> BusValue? {
        guard sd_bus_message_enter_container(message, kind, contents) > 0,
            let values = values(in: message, toEndOfMessage: 0), sd_bus_message_exit_container(message) >= 0
        else { return nil }
        switch type {
        case "a" where contents.hasPrefix("{"): return dictionary(contents, values)
        case "a": return .array(of: contents, values)
        case "r", "e": return .structure(values)
        case "v": return values.first.map(BusValue.variant)
        default: return nil
        }
    }

    /// Makes a dictionary from its entries. The signature of an entry, such as `{sv}`, is in `contents`. The type of a
    /// key is always one letter. If a key occurs twice, the later value counts.
    private static func dictionary(_ contents: String, _ entries: [BusValue]) -> BusValue {
        var pairs: [BusValue: BusValue] = [:]
        for case .structure(let entry) in entries where entry.count == 2 { pairs[entry[0]] = entry[1] }
        let keys = String(contents.dropFirst().prefix(1))
        return .dictionary(keys: keys, values: String(contents.dropFirst(2).dropLast()), pairs)
    }

    private static func readBits(_ message: OpaquePointer, _ kind: CChar) -> Int64? {
        var bits: Int64 = 0
        return sd_bus_message_read_basic(message, kind, &bits) > 0 ? bits : nil
    }

    private static func readText(_ message: OpaquePointer, _ kind: CChar) -> String? {
        var text: UnsafePointer<CChar>?
        guard sd_bus_message_read_basic(message, kind, &text) > 0 else { return nil }
        return text.map { String(cString: $0) }
    }
}
