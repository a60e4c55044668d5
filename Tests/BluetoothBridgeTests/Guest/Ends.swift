import Glibc
import Testing
import WatchLink
import Wormhole

@testable import BluetoothBridge

/// Both ends of a channel over the air.
struct Ends {
    let watch: L2CAPChannel
    let phone: L2CAPChannel

    /// Opens a channel to `listener`, whose next peer nobody else takes.
    init(_ air: Air, _ listener: L2CAPListener, largestArriving: Int = L2CAPChannel.usualLargestArriving) async throws {
        let connector = air.connector(to: listener.psm, largestArriving: largestArriving)
        async let accepted = listener.accept()
        phone = try await connector.open()
        watch = try #require(try await accepted as? L2CAPChannel)
    }

    /// Closes both.
    func close() {
        watch.close()
        phone.close()
    }
}

extension Air {
    /// A connector of the phone's to this number of the watch's.
    func connector(
        to psm: UInt16, largestArriving: Int = L2CAPChannel.usualLargestArriving, timeLimit: Microseconds = .seconds(20)
    ) -> L2CAPConnector {
        L2CAPConnector(
            to: watchPeer, psm: psm, from: phone.address, largestArriving: largestArriving,
            timeLimit: timeLimit)
    }
}

/// Both ends of a bare socket, with nothing of ours around it: what is measured against, and peers that misbehave.
enum BareSocket {
    /// Waits until the descriptor is readable, for twenty seconds at the most.
    static func wait(_ descriptor: CInt, for events: Int32 = POLLIN) throws {
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        try #require(poll(&entry, 1, 20_000) > 0)
    }

    /// Makes the descriptor block.
    static func block(_ descriptor: CInt) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    }

    /// Accepts the next connection, whatever its security.
    static func accept(from listener: L2CAPListener) throws -> CInt {
        let number = try #require(listener.fileDescriptor)
        try wait(number)
        let accepted = BlueZ.accept(number).descriptor
        try #require(accepted >= 0)
        return accepted
    }

    /// Connects, whatever the security. It blocks until the channel stands.
    static func connect(_ air: Air, to psm: UInt16) throws -> CInt {
        let descriptor = try BlueZ.makeSocket()
        try BlueZ.bind(descriptor, to: air.phone.address, psm: 0)
        try BlueZ.setLargestArriving(L2CAPChannel.usualLargestArriving, of: descriptor)
        let outcome = BlueZ.connect(descriptor, to: air.watchPeer, psm: psm)
        if outcome == .nowInProgress { try wait(descriptor, for: POLLOUT) }
        try #require(try BlueZ.pendingError(of: descriptor) == nil)
        return descriptor
    }
}
