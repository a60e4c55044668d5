import BluetoothBridge
import Glibc
import GuestAdapters

/// What an adapter's controller tells of the pace of its links: the events by which every change is made known (Bluetooth Core
/// Specification 5.4, volume 4, part E, section 7.7.65.3: LE Connection Update Complete).
final class PaceChanges {
    struct Change: Equatable {
        /// The time between two meetings, in units of 1.25 ms.
        let interval: UInt16
        /// How many meetings in a row the peripheral may miss.
        let latency: UInt16
        /// After how long without a word the link is lost, in units of 10 ms.
        let supervisionTimeout: UInt16
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// struct hci_filter of BlueZ's hci.h: events of LE, and nothing else.
    private struct Filter {
        let types = UInt32(1) << 4
        let firstEvents: UInt32 = 0
        let lastEvents = UInt32(1) << (0x3E - 32)
        let command: UInt16 = 0
    }

    private let descriptor: CInt

    /// Listens to an adapter from now on, which takes root.
    init(of adapter: LocalAdapter) throws {
        descriptor = socket(AF_BLUETOOTH, CInt(SOCK_RAW.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 1)
        var filter = Filter()
        // SOL_HCI, HCI_FILTER.
        guard setsockopt(descriptor, 0, 2, &filter, socklen_t(MemoryLayout<Filter>.stride)) == 0 else {
            throw Failure(description: "the filter: \(String(cString: strerror(errno)))")
        }
        // struct sockaddr_hci: the family, the adapter, the raw channel.
        let address: (UInt16, UInt16, UInt16) = (UInt16(AF_BLUETOOTH), UInt16(adapter.index), 0)
        let outcome = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, 6) }
        }
        guard outcome == 0 else { throw Failure(description: "the raw channel: \(String(cString: strerror(errno)))") }
    }

    deinit { close(descriptor) }

    /// Waits for the next change, for four minutes at the most.
    func next() throws -> Change {
        while true {
            try BareSocket.wait(descriptor)
            if let change = read() { return change }
        }
    }

    /// The changes that were told of already and not taken.
    func waiting() -> [Change] {
        var changes: [Change] = []
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&entry, 1, 0) > 0 {
            if let change = read() { changes.append(change) }
        }
        return changes
    }

    /// The next event, if it is such a change.
    private func read() -> Change? {
        var bytes = [UInt8](repeating: 0, count: 260)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        // An event, of LE, a change, that has come about.
        guard count >= 13, bytes[0] == 4, bytes[1] == 0x3E, bytes[3] == 3, bytes[4] == 0 else { return nil }
        func number(_ place: Int) -> UInt16 { UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8 }
        return Change(interval: number(7), latency: number(9), supervisionTimeout: number(11))
    }
}
