import HostSystem
import Testing
import WatchLink
import WormholeTesting

@testable import BluetoothBridge

struct SystemBusTests {
    private static let name = "org.tapline.Test"

    private let place: PrivateBus
    private let server: SystemBus
    private let client: SystemBus

    init() async throws {
        place = try PrivateBus()
        server = try await place.connection(named: SystemBusTests.name)
        server.export(SystemBusTests.echo, at: "/test")
        client = try SystemBus(address: place.address)
    }

    private static func call(_ member: String, _ body: [BusValue] = []) -> BusCall {
        BusCall(
            destination: SystemBusTests.name, path: "/test", interface: SystemBusTests.name, member: member, body: body)
    }

    private static let echo = BusExport(properties: {
        [SystemBusTests.name: ["Level": .byte(7), "Names": .strings([])]]
    }) { call, answer in
        switch call.member {
        case "Echo": answer(.success(call.body))
        case "Fail": answer(.failure(BusFault(name: "org.bluez.Error.Rejected", message: "no")))
        case "Wait": break
        default: answer(.failure(.unknownMethod(call)))
        }
    }

    @Test(arguments: [
        BusValue.byte(255), .yes, .no, .number("n", -2), .number("q", 65535), .number("i", Int64(Int32.min)),
        .number("u", Int64(UInt32.max)), .number("x", .min),
        .number("t", -1), .number("d", Int64(bitPattern: (-0.5).bitPattern)), .string(""), .string("Üß 👋"),
        .objectPath("/a/b"), .signature("a{sv}"),
        .strings([]), .strings(["a", "b"]), .bytes([]), .bytes([0, 255]), .named([:]),
        .named(["One": .number("q", 1), "More": .named(["Two": .strings(["2"])])]),
        .dictionary(keys: "q", values: "v", [.number("q", 9): .variant(.bytes([1]))]),
        .structure([.string("a"), .structure([.byte(1), .yes])]), .variant(.variant(.structure([.no]))),
        .array(of: "(sa{sv})", [.structure([.string("x"), .named(["y": .yes])])]),
    ])
    func `every value comes back as it was sent`(_ value: BusValue) async throws {
        #expect(try await client.call(SystemBusTests.call("Echo", [value, .byte(1)])) == [value, .byte(1)])
    }

    @Test func `properties are got alone and all together; objects below an object are its to list`() async throws {
        server.export(SystemBusTests.echo, at: "/test/below")
        var call = SystemBusTests.call("Get", [.string(SystemBusTests.name), .string("Level")])
        call.interface = "org.freedesktop.DBus.Properties"
        #expect(try await client.call(call) == [.variant(.byte(7))])
        call.member = "GetAll"
        #expect(try await client.call(call).first?.fields?["Level"] == .variant(.byte(7)))
        call.interface = "org.freedesktop.DBus.ObjectManager"
        call.member = "GetManagedObjects"
        call.body = []
        #expect(try await client.call(call).first?.fields?.keys.sorted() == ["/test/below"])
    }

    @Test func `what another says against it is an error with its name`() async throws {
        await #expect(throws: BluetoothError.refused("org.bluez.Error.Rejected", "no")) {
            try await client.call(SystemBusTests.call("Fail"))
        }
        var nowhere = SystemBusTests.call("Echo")
        nowhere.path = "/nowhere"
        await #expect(throws: BluetoothError.self) { try await client.call(nowhere) }
        nowhere.destination = "org.tapline.Nobody"
        await #expect(throws: BluetoothError.noDaemon) { try await client.call(nowhere) }
    }

    @Test func `a call that is not answered ends with its time, or with its task`() async throws {
        let clock = ManualClock()
        let client = try SystemBus(address: place.address, clock: clock)
        let unanswered = Task { _ = try await client.call(SystemBusTests.call("Wait"), within: .seconds(25)) }
        await clock.waitForSleeper(until: .start + .seconds(25))
        clock.advance(by: .milliseconds(24_999))
        #expect(try await client.call(SystemBusTests.call("Echo")) == [])
        clock.advance(by: .milliseconds(1))
        await #expect(throws: BluetoothError.timedOut) { try await unanswered.value }
        let task = Task { _ = try await client.call(SystemBusTests.call("Wait")) }
        task.cancel()
        await #expect(throws: BluetoothError.cancelled) { try await task.value }
        #expect(try await client.call(SystemBusTests.call("Echo")) == [])
    }

    @Test func `signals are heard by who asked for them`() async throws {
        let heard = Published<[String]>([])
        client.subscribe(BusMatch(sender: SystemBusTests.name, interface: SystemBusTests.name, member: "Rang")) {
            signal in
            heard.update { $0.append(signal.body.first?.text ?? "") }
        }
        // When a later call is answered, the bus knows the match.
        _ = try? await client.call(SystemBusTests.call("Echo"))
        for (member, text) in [("Rang", "one"), ("Slept", "two"), ("Rang", "three")] {
            server.emit(
                BusSignal(path: "/test", interface: SystemBusTests.name, member: member, body: [.string(text)]))
        }
        for await texts in heard.values() where texts.count == 2 {
            #expect(texts == ["one", "three"])
            break
        }
    }

    @Test func `where there is no bus, a call says so at once`() async throws {
        let client = try SystemBus(address: "unix:path=/nowhere/socket")
        await #expect(throws: BluetoothError.noBus("No such file or directory")) {
            try await client.call(SystemBusTests.call("Echo"))
        }
    }

    @Test func `a bus that goes takes its calls with it; when it is back, matches and objects are, too`() async throws {
        let troubles = Published<[BluetoothError?]>([])
        let heard = Published(0)
        client.watch { trouble in troubles.update { $0.append(trouble) } }
        client.subscribe(BusMatch(sender: SystemBusTests.name, interface: SystemBusTests.name)) { _ in
            heard.update { $0 += 1 }
        }
        let waiting = Task { [client] in _ = try await client.call(SystemBusTests.call("Wait")) }
        _ = try await client.call(SystemBusTests.call("Echo"))
        place.stop()
        let error = await #expect(throws: BluetoothError.self) { try await waiting.value }
        guard case .noBus? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        await #expect(throws: BluetoothError.self) { try await client.call(SystemBusTests.call("Echo")) }

        try place.start()
        for await list in troubles.values() where list.count > 1 && list.last == .some(nil) { break }
        // The server does not call `watch`, so only its next call connects it again.
        _ = try await server.call(.ofBus("RequestName", .string(SystemBusTests.name), .number("u", 0)))
        #expect(try await client.call(SystemBusTests.call("Echo", [.yes])) == [.yes])
        server.emit(BusSignal(path: "/test", interface: SystemBusTests.name, member: "Rang", body: []))
        for await count in heard.values() where count == 1 { break }
    }
}
