import BluetoothBridge
import Glibc

/// A connection to the kernel's management of Bluetooth adapters (BlueZ, doc/mgmt-api.txt), without bluetoothd. Tests
/// prepare adapters with it.
final class Management {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    enum Command: UInt16 {
        case setPowered = 0x0005
        case setConnectable = 0x0007
        case setBondable = 0x0009
        case setLowEnergy = 0x000D
        case disconnect = 0x0014
        case setCapability = 0x0018
        case pair = 0x0019
        case unpair = 0x001B
        case confirm = 0x001C
        case deny = 0x001D
        case setAdvertising = 0x0029
        case setSecureConnections = 0x002D
    }

    struct Event {
        let code: UInt16
        let adapter: UInt16
        let parameters: [UInt8]
    }

    private static let commandComplete: UInt16 = 0x0001
    private static let commandStatus: UInt16 = 0x0002
    static let deviceDisconnected: UInt16 = 0x000C
    static let confirmationRequest: UInt16 = 0x000F

    private let descriptor: CInt

    /// Opens a socket of the kernel's control channel. This needs root.
    init() throws {
        descriptor = socket(AF_BLUETOOTH, CInt(SOCK_RAW.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 1)
        // struct sockaddr_hci: the family, no adapter, the control channel.
        let address: (UInt16, UInt16, UInt16) = (UInt16(AF_BLUETOOTH), 0xFFFF, 3)
        let outcome = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, 6) }
        }
        guard outcome == 0 else {
            throw Failure(description: "the control channel: \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(descriptor) }

    /// Sends a command, and waits until the kernel reports its result. Drops other events that arrive meanwhile.
    func command(_ command: Command, _ adapter: LocalAdapter, _ parameters: [UInt8]) throws {
        try send(command, UInt16(adapter.index), parameters)
        while true {
            let event = try nextEvent()
            let isEnd = event.code == Management.commandComplete || event.code == Management.commandStatus
            guard isEnd, event.parameters.count >= 3 else { continue }
            guard UInt16(event.parameters[0]) | UInt16(event.parameters[1]) << 8 == command.rawValue else { continue }
            let status = event.parameters[2]
            guard status == 0 else { throw Failure(description: "\(command) on \(adapter.name): status \(status)") }
            return
        }
    }

    func send(_ command: Command, _ adapter: UInt16, _ parameters: [UInt8]) throws {
        var message: [UInt8] = []
        for field in [command.rawValue, adapter, UInt16(parameters.count)] {
            message += [UInt8(field & 0xFF), UInt8(field >> 8)]
        }
        message += parameters
        guard write(descriptor, message, message.count) == message.count else {
            throw Failure(description: "\(command) could not be sent")
        }
    }

    func nextEvent() throws -> Event {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 240_000) > 0 else { throw Failure(description: "the kernel does not answer") }
        var bytes = [UInt8](repeating: 0, count: 1_024)
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 6 else { throw Failure(description: "the control channel has ended") }
        func number(_ place: Int) -> UInt16 { UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8 }
        return Event(code: number(0), adapter: number(2), parameters: Array(bytes[6..<count]))
    }
}
