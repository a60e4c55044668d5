import HostSystem
import Testing
import WatchLink
import WormholeTesting

@testable import BluetoothBridge

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

    @Test func `Nobody is asked any longer than 25 seconds`() async throws {
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
