import BluetoothBridge
import Glibc
import GuestAdapters

/// The changes of connection parameters that an adapter's controller reports. It reports each change with the event LE
/// Connection Update Complete (Bluetooth Core Specification 5.4, volume 4, part E, section 7.7.65.3).
final class PaceChanges {
    struct Change: Equatable {
        /// The connection interval, in units of 1.25 ms.
        let interval: UInt16
        /// The number of connection events in a row that the peripheral may skip.
        let latency: UInt16
        /// The link is lost if no packet arrives for this time, in units of 10 ms.
        let supervisionTimeout: UInt16
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// `struct hci_filter` of BlueZ's hci.h. Lets only the LE Meta event through.
    private struct Filter {
        let types = UInt32(1) << 4
        let firstEvents: UInt32 = 0
        let lastEvents = UInt32(1) << (0x3E - 32)
        let command: UInt16 = 0
    }

    private let descriptor: CInt

    /// Starts to listen to the adapter. The process must run as root.
    init(of adapter: LocalAdapter) throws {
        descriptor = socket(AF_BLUETOOTH, CInt(SOCK_RAW.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 1)
        var filter = Filter()
        // Level 0 is SOL_HCI, and option 2 is HCI_FILTER.
        guard setsockopt(descriptor, 0, 2, &filter, socklen_t(MemoryLayout<Filter>.stride)) == 0 else {
            throw Failure(description: "the filter: \(String(cString: strerror(errno)))")
        }
        // The fields of `struct sockaddr_hci`: the family, the adapter, and 0 for the raw channel.
        let address: (UInt16, UInt16, UInt16) = (UInt16(AF_BLUETOOTH), UInt16(adapter.index), 0)
        let outcome = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, 6) }
        }
        guard outcome == 0 else { throw Failure(description: "the raw channel: \(String(cString: strerror(errno)))") }
    }

    deinit { close(descriptor) }

    func next() throws -> Change {
        while true {
            try BareSocket.wait(descriptor)
            if let change = read() { return change }
        }
    }

    /// Returns the changes that have arrived and that no earlier call has returned.
    func waiting() -> [Change] {
        var changes: [Change] = []
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&entry, 1, 0) > 0 {
            if let change = read() { changes.append(change) }
        }
        return changes
    }

    private func read() -> Change? {
        var bytes = [UInt8](repeating: 0, count: 260)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        // An HCI event packet, LE Meta event, LE Connection Update Complete, status success.
        guard count >= 13, bytes[0] == 4, bytes[1] == 0x3E, bytes[3] == 3, bytes[4] == 0 else { return nil }
        func number(_ place: Int) -> UInt16 { UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8 }
        return Change(interval: number(7), latency: number(9), supervisionTimeout: number(11))
    }
}
