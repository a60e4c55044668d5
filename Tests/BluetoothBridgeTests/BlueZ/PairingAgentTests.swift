import HostSystem
import Testing
import WatchLink
import WormholeTesting

@testable import BluetoothBridge

@Suite(.timeLimit(.minutes(60)))
struct PairingAgentTests {
    private static let device = "/org/bluez/hci0/dev_00_AA_01_01_00_24"

    private struct Refusal: Hashable {
        var device: String
        var method: PairingMethod
        var isOurs: Bool
    }

    private let agent = PairingAgent(limit: .seconds(25), clock: ManualClock())
    private let refusals = Published<[Refusal]>([])
    private let told = Published<[BluetoothPeer]>([])

    private func call(_ member: String, _ body: [BusValue], from sender: String = ":1.7") -> [Result<Int, BusFault>] {
        let answers = Published<[Result<Int, BusFault>]>([])
        let object = agent.export {
            .running(owner: ":1.7", ObjectTree())
        } refusing: { [refusals] device, method, starter in
            switch starter {
            case .us: refusals.update { $0.append(Refusal(device: device, method: method, isOurs: true)) }
            case .them(let refuse):
                refusals.update { $0.append(Refusal(device: device, method: method, isOurs: false)) }
                guard let place = BlueZ.device(at: device) else { return }
                refuse(BluetoothPeer(place.address, .public), method)
            }
        }
        object.call(
            BusIncomingCall(
                number: 1, sender: sender, path: PairingAgent.path, interface: BlueZ.agent, member: member, body: body)
        ) { result in
            answers.update { $0.append(result.map(\.count)) }
        }
        return answers.value
    }

    private static let rejected = BlueZ.fault("Rejected", "only pairing by comparing digits is supported")

    @Test(arguments: [
        ("DisplayPasskey", [BusValue.number("u", 123_456), .number("q", 0)], PairingMethod.passkey),
        ("RequestPasskey", [], .passkey),
        ("DisplayPinCode", [.string("1234")], .pin),
        ("RequestPinCode", [], .pin),
        ("RequestAuthorization", [], .justWorks),
    ])
    func `Every way to pair but the comparison is refused, and the pairing is ended`(
        _ member: String, _ rest: [BusValue], _ method: PairingMethod
    ) throws {
        _ = agent.respond(on: "hci0", { _ in .accept }) { [told] peer, _ in
            told.update { $0.append(peer) }
        }
        #expect(call(member, [.objectPath(Self.device)] + rest) == [.failure(Self.rejected)])
        #expect(refusals.value == [Refusal(device: Self.device, method: method, isOurs: false)])
        let address = try #require(BluetoothAddress("00:AA:01:01:00:24"))
        #expect(told.value == [BluetoothPeer(address, .public)])
    }

    @Test func `A device that this side pairs with may not choose another way either`() {
        agent.begin(Self.device) { _ in .accept }
        _ = call("DisplayPasskey", [.objectPath(Self.device), .number("u", 1), .number("q", 0)])
        #expect(refusals.value == [Refusal(device: Self.device, method: .passkey, isOurs: true)])
        let pairing = agent.finish(Self.device)
        guard case .refused(.passkey) = pairing else {
            Issue.record("\(String(describing: pairing))")
            return
        }
    }

    @Test func `A service that asks to be used is refused, and is no pairing`() {
        let uuid = "0000180f-0000-1000-8000-00805f9b34fb"
        let answers = call("AuthorizeService", [.objectPath(Self.device), .string(uuid)])
        #expect(answers == [.failure(Self.rejected)])
        #expect(refusals.value == [])
    }

    @Test func `Another program than bluetoothd is refused, and ends no pairing`() {
        let answers = call(
            "DisplayPasskey", [.objectPath(Self.device), .number("u", 1), .number("q", 0)], from: ":1.8")
        #expect(answers == [.failure(BlueZ.fault("Rejected", "no pairing is expected"))])
        #expect(refusals.value == [])
    }

    @Test func `What is no device of bluetoothd ends no pairing`() {
        for body in [[], [BusValue.number("u", 1)], [.objectPath("/org/bluez")]] { _ = call("DisplayPasskey", body) }
        #expect(refusals.value == [])
    }
}

@Suite(.timeLimit(.minutes(60))) struct PairingQuestionTests {
    private enum Reply: Sendable, Equatable {
        case none
        case accepted
        case refused(String)
    }

    private let clock = ManualClock()
    private let reply = WaitableState(Reply.none)

    private func ask(_ answer: @escaping PairingAnswer) throws -> PairingQuestion {
        let peer = BluetoothPeer(try #require(BluetoothAddress("00:AA:01:00:00:42")), .public)
        return PairingQuestion(
            PairingRequest(peer: peer, adapter: "hci0", digits: "042042"), until: .start + .seconds(25), on: clock,
            to: { [reply] result in
                reply.change { reply in
                    switch result {
                    case .success: reply = .accepted
                    case .failure(let fault): reply = .refused(fault.name)
                    }
                }
            }, asking: answer)
    }

    private func answered() async -> Reply? {
        await reply.wait { $0 == .none ? nil : $0 }
    }

    @Test func `Who says yes in time has answered`() async throws {
        let question = try ask { $0.digits == "042042" ? .accept : .reject }
        #expect(await answered() == .accepted)
        withExtendedLifetime(question) {}
    }

    @Test func `A question stands no longer than 25 seconds`() async throws {
        let never = WaitableState(0)
        let question = try ask { _ in
            // It ends when its task is cancelled, as the sheet of a watch does.
            _ = await never.wait { $0 == 1 ? true : nil }
            return .reject
        }
        await clock.waitForSleeper(until: .start + .seconds(25))
        clock.advance(by: .milliseconds(24_999))
        #expect(reply.value == .none)
        clock.advance(by: .milliseconds(1))
        #expect(await answered() == .refused("org.bluez.Error.Canceled"))
        withExtendedLifetime(question) {}
    }
}
