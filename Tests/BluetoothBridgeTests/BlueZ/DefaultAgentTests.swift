import HostSystem
import Testing
import WatchLink
import WormholeTesting

@testable import BluetoothBridge

/// Two watches on one machine share its bluetoothd, which has one default agent for all adapters.
@Suite(.timeLimit(.minutes(60)))
struct DefaultAgentTests {
    private static let phone = "00:AA:01:02:00:02"

    private let place: PrivateBus
    private let daemon: MadeUpAgents
    private let left: BlueZControl
    private let right: BlueZControl

    init() async throws {
        place = try PrivateBus()
        daemon = try await MadeUpAgents(on: place)
        // A notice counts for ten seconds. On a busy machine, the watches can need longer, so this clock stands still.
        let clock = ManualClock()
        left = try BlueZControl(address: place.address, clock: clock)
        right = try BlueZControl(address: place.address, clock: clock)
        // From here on, each watch receives the signals of the other.
        for control in [left, right] { await control.waitForDaemon(\.isRunning) }
    }

    private func owner() throws -> String { try #require(daemon.state.value.asked).owner }

    @Test
    func `A watch that declines, and goes on declining, leaves the questions to the one that asks`() async throws {
        let first = try await left.answerPairing(on: "hci0", asking: nil) { _, _ in }
        let asking = try await right.answerPairing(on: "hci1") { _ in .accept }
        let asked = try owner()
        #expect(daemon.state.value.asked?.capability == PairingAgent.Capability.displayYesNo.rawValue)
        #expect(daemon.state.value.pairable == ["hci0", "hci1"])
        // A watch declines again when it sees that its adapter has become pairable.
        await left.waitForDaemon { $0.adapter("hci0")?.isPairable == true }
        let second = try await left.answerPairing(on: "hci0", asking: nil) { _, _ in }
        await first.end()
        #expect(daemon.state.value.pairable == ["hci1"])
        #expect(try owner() == asked)
        #expect(daemon.state.value.stack.count == 2)
        await asking.end()
        #expect(daemon.state.value.asked?.capability == PairingAgent.Capability.nothing.rawValue)
        await second.end()
        #expect(daemon.state.value.asked == nil)
    }

    @Test func `A watch that declines takes the questions from a program that is none of Tapline's`() async throws {
        let first = try await left.answerPairing(on: "hci0", asking: nil) { _, _ in }
        let declining = try owner()
        let careless = try SystemBus(address: place.address)
        for (member, body) in [("RegisterAgent", [BusValue.string("DisplayOnly")]), ("RequestDefaultAgent", [])] {
            _ = try await careless.call(
                BusCall(
                    destination: BlueZ.name, path: BlueZ.manager, interface: BlueZ.agentManager, member: member,
                    body: [.objectPath("/careless")] + body))
        }
        #expect(try owner() != declining)
        let second = try await left.answerPairing(on: "hci0", asking: nil) { _, _ in }
        #expect(try owner() == declining)
        await first.end()
        await second.end()
    }

    @Test
    func `A watch that begins to decline later does not stay between bluetoothd and the one that asks`() async throws {
        let asking = try await right.answerPairing(on: "hci1") { _ in .accept }
        let asked = try owner()
        let declining = try await left.answerPairing(on: "hci0", asking: nil) { _, _ in }
        await daemon.waitForAgent(of: asked, .displayYesNo)
        #expect(daemon.state.value.stack.count == 2)
        await asking.end()
        await declining.end()
    }

    @Test func `Of two watches that ask, the one is asked whose adapter a phone has connected to`() async throws {
        let questions = Published<[PairingRequest]>([])
        let first = try await left.answerPairing(on: "hci0") { request in
            questions.update { $0.append(request) }
            return .accept
        }
        let asked = try owner()
        let second = try await right.answerPairing(on: "hci1") { _ in .reject }
        #expect(try owner() != asked)
        daemon.connect(Self.phone, to: "hci0")
        await daemon.waitForAgent(of: asked, .displayYesNo)
        try await daemon.ask("RequestConfirmation", about: Self.phone, on: "hci0", [.number("u", 42)])
        #expect(questions.value.map(\.digits) == ["000042"])
        daemon.connect("00:AA:01:03:00:03", to: "hci1")
        for await state in daemon.state.values() where state.asked?.owner != asked { break }
        await first.end()
        await second.end()
    }

    @Test func `A device that guesses passkeys at another adapter ends the asking for all, until it is asked for anew`()
        async throws
    {
        let refusals = Published<[PairingMethod]>([])
        let asking = try await right.answerPairing(on: "hci1") { _ in
            .accept
        } refusing: { _, method in
            refusals.update { $0.append(method) }
        }
        let rejected = await #expect(throws: BluetoothError.self) {
            try await daemon.ask("DisplayPasskey", about: Self.phone, on: "hci0", [.number("u", 1), .number("q", 0)])
        }
        guard case .refused("org.bluez.Error.Rejected", _)? = rejected else {
            Issue.record("\(String(describing: rejected))")
            return
        }
        for await methods in refusals.values() where methods == [.passkey] { break }
        #expect(daemon.state.value.asked?.capability == PairingAgent.Capability.nothing.rawValue)
        #expect(daemon.state.value.pairable == [])
        // The agent now also refuses a comparison.
        await #expect(throws: BluetoothError.self) {
            try await daemon.ask("RequestConfirmation", about: Self.phone, on: "hci1", [.number("u", 42)])
        }
        let again = try await right.answerPairing(on: "hci1") { _ in .accept }
        try await daemon.ask("RequestConfirmation", about: Self.phone, on: "hci1", [.number("u", 42)])
        await asking.end()
        await again.end()
    }
}

struct AgentNoticeTests {
    @Test func `A notice is in its signal, and in no other`() {
        let notice = AgentNotice(notifier: 7, moment: .requested, capability: .nothing)
        #expect(AgentNotice(notice.signal) == notice)
        for body: [BusValue] in [
            [], [.number("t", 7)], [.string("7"), .string("NoInputNoOutput")], [.number("t", 7), .string("Any")],
        ] {
            var signal = notice.signal
            signal.body = body
            #expect(AgentNotice(signal) == nil)
        }
        var signal = notice.signal
        signal.member = "Refused"
        #expect(AgentNotice(signal) == nil)
    }

    @Test func `A notice explains one change, for ten seconds`() {
        let start = ManualClock().now
        var notices = HeardNotices()
        #expect(notices.explain(at: start) == nil)
        notices.hear(.init(notifier: 7, moment: .requesting, capability: .displayYesNo), from: ":1.7", at: start)
        #expect(notices.explain(at: start + .seconds(9)) == ":1.7")
        #expect(notices.explain(at: start + .seconds(9)) == nil)
        notices.hear(.init(notifier: 7, moment: .requesting, capability: .nothing), from: ":1.8", at: start)
        #expect(notices.explain(at: start + .seconds(10)) == nil)
    }

    @Test func `Only an agent that has become the default one, and declines, is outlasted`() {
        let start = ManualClock().now
        var notices = HeardNotices()
        notices.hear(.init(notifier: 7, moment: .requesting, capability: .nothing), from: ":1.7", at: start)
        notices.hear(.init(notifier: 8, moment: .requested, capability: .displayYesNo), from: ":1.8", at: start)
        #expect(notices.lastDeclining == nil)
        notices.hear(.init(notifier: 7, moment: .requested, capability: .nothing), from: ":1.7", at: start)
        #expect(notices.lastDeclining?.sender == ":1.7")
        #expect(notices.explain(at: start) == ":1.7")
        #expect(notices.explain(at: start) == nil)
    }
}
