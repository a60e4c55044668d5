import BluetoothBridge
import Glibc
import SystemPackage

/// Both ends of a bare socket, with nothing of ours around it: what is measured against, and peers that misbehave.
package enum BareSocket {
    /// Why a test cannot go on.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Waits until the descriptor is readable, for four minutes at the most.
    package static func wait(_ descriptor: CInt, for events: Int32 = POLLIN) throws {
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        guard poll(&entry, 1, 240_000) > 0 else { throw Failure(description: "nothing happens on the channel") }
    }

    /// Makes the descriptor block.
    package static func block(_ descriptor: CInt) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    }

    /// Accepts the next connection before a descriptor ends, whatever the connection's security; -1 where none came, or
    /// where it has gone again. A channel that ends before it is accepted is not heard of at all. poll(2) ignores the
    /// descriptor -1.
    package static func accept(from listener: L2CAPListener, before end: CInt = -1) throws -> CInt {
        guard let number = listener.fileDescriptor else { throw Failure(description: "the listener is closed") }
        var entries = [
            pollfd(fd: number, events: Int16(POLLIN), revents: 0), pollfd(fd: end, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&entries, 2, 240_000) > 0 else { throw Failure(description: "nothing happens on the channel") }
        return entries[0].revents == 0 ? -1 : KernelCalls.accept(number).descriptor
    }

    /// Connects the phone to the watch, whatever the security. It blocks until the channel stands or has come to
    /// nothing.
    package static func connect(
        _ air: Air, to psm: UInt16, largestArriving: Int = L2CAPChannel.usualLargestArriving
    ) throws -> CInt {
        try connect(air.phone, to: air.watchPeer, psm: psm, largestArriving: largestArriving)
    }

    /// Connects an adapter to a peer, likewise.
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
