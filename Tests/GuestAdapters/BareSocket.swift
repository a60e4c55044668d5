import BluetoothBridge
import Glibc

/// Both ends of a bare socket, without Tapline's code around it: the base of measurements, and peers that misbehave.
package enum BareSocket {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Waits for an event of the descriptor, for four minutes at the most.
    package static func wait(_ descriptor: CInt, for events: Int32 = POLLIN) throws {
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        guard poll(&entry, 1, 240_000) > 0 else { throw Failure(description: "nothing happens on the channel") }
    }

    package static func block(_ descriptor: CInt) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    }

    /// Accepts the next connection, whatever its security. Returns -1 if the descriptor `end` ends first, or if the connection
    /// has gone again. A channel that ends before it is accepted is never reported. poll(2) ignores the descriptor -1.
    package static func accept(from listener: L2CAPListener, before end: CInt = -1) throws -> CInt {
        guard let number = listener.fileDescriptor else { throw Failure(description: "the listener is closed") }
        var entries = [
            pollfd(fd: number, events: Int16(POLLIN), revents: 0), pollfd(fd: end, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&entries, 2, 240_000) > 0 else { throw Failure(description: "nothing happens on the channel") }
        return entries[0].revents == 0 ? -1 : KernelCalls.accept(number).descriptor
    }

    /// Connects the phone to the watch, whatever the security. Returns when the channel is open or has failed.
    package static func connect(
        _ air: Air, to psm: UInt16, largestArriving: Int = L2CAPChannel.usualLargestArriving
    ) throws -> CInt {
        try connect(air.phone, to: air.watchPeer, psm: psm, largestArriving: largestArriving)
    }

    /// Connects an adapter to a peer in the same way.
    package static func connect(
        _ adapter: LocalAdapter, to peer: BluetoothPeer, psm: UInt16,
        largestArriving: Int = L2CAPChannel.usualLargestArriving
    ) throws -> CInt {
        let descriptor = try KernelCalls.makeSocket()
        try KernelCalls.bind(descriptor, to: adapter.address, psm: 0)
        try KernelCalls.setLargestArriving(largestArriving, of: descriptor)
        let outcome = KernelCalls.connect(descriptor, to: peer, psm: psm)
        if outcome == .nowInProgress { try wait(descriptor, for: POLLOUT) }
        return descriptor
    }
}
