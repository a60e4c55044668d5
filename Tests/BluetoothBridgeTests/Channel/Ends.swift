import GuestAdapters
import Testing
import WatchLink
import Wormhole

@testable import BluetoothBridge

/// Both ends of an L2CAP channel between the two adapters.
struct Ends {
    let watch: L2CAPChannel
    let phone: L2CAPChannel

    /// Opens a channel to `listener`. Meanwhile, no other task may accept a peer of this listener.
    init(
        _ air: Air, _ listener: L2CAPListener, largestArriving: Int = L2CAPChannel.usualLargestArriving,
        timeLimit: Microseconds = .seconds(240)
    ) async throws {
        let connector = air.connector(to: listener.psm, largestArriving: largestArriving, timeLimit: timeLimit)
        async let accepted = listener.next()
        phone = try await connector.open()
        watch = try await accepted
    }

    /// Expects that one datagram arrives in each direction.
    func expectToWork() async throws {
        try await watch.transport.send([1])
        #expect(try await phone.transport.receive() == [1])
        try await phone.transport.send([2])
        #expect(try await watch.transport.receive() == [2])
    }

    func close() {
        watch.socket.close()
        phone.socket.close()
    }
}

extension Air {
    func connector(
        to psm: UInt16, largestArriving: Int = L2CAPChannel.usualLargestArriving,
        timeLimit: Microseconds = .seconds(240)
    ) -> L2CAPConnector {
        L2CAPConnector(
            to: watchPeer, psm: psm, from: phone.address, largestArriving: largestArriving,
            timeLimit: timeLimit)
    }
}

/// The suite of the tests that need Bluetooth adapters. They run one at a time, in the virtual machine that Tests/bluetooth
/// boots.
@Suite(.serialized, .enabled(if: Air.isHere, "the guest of Tests/bluetooth has adapters"), .timeLimit(.minutes(60)))
enum AdapterTests {}
