import BluetoothBridge
import Glibc

/// An L2CAP socket without Tapline's channel code. Benchmarks measure with it for comparison, and tests use it as a
/// peer that misbehaves.
package enum BareSocket {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    package static func wait(_ descriptor: CInt, for events: Int32 = POLLIN) throws {
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        guard poll(&entry, 1, 240_000) > 0 else { throw Failure(description: "nothing happens on the channel") }
    }

    package static func block(_ descriptor: CInt) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    }

    /// Accepts the next connection at any security level. Returns -1 if the connection is gone, or if `end` becomes
    /// readable or closes first.
    ///
    /// The kernel never reports a channel that ends before it is accepted. The caller therefore passes an `end` that
    /// closes with the connection attempt. The default -1 means none, because poll(2) ignores it.
    package static func accept(from listener: L2CAPListener, before end: CInt = -1) throws -> CInt {
        guard let number = listener.fileDescriptor else { throw Failure(description: "the listener is closed") }
        var entries = [
            pollfd(fd: number, events: Int16(POLLIN), revents: 0), pollfd(fd: end, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&entries, 2, 240_000) > 0 else { throw Failure(description: "nothing happens on the channel") }
        return entries[0].revents == 0 ? -1 : KernelCalls.accept(number).descriptor
    }

    package static func connect(
        _ air: Air, to psm: UInt16, largestArriving: Int = L2CAPChannel.usualLargestArriving
    ) throws -> CInt {
        try connect(air.phone, to: air.watchPeer, psm: psm, largestArriving: largestArriving)
    }

    /// Connects an adapter to a peer at any security level. Returns when the channel is open or has failed.
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
