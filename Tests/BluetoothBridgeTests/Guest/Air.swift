import BluetoothBridge
import Glibc

/// Two adapters that hear each other, in the guest that Tests/guest/run boots: hci0 is the watch's, hci1 the phone's.
///
/// Only the watch's advertises and takes connections: the virtual controllers do not work otherwise.
struct Air {
    /// What a person does who is asked whether two numbers are the same.
    enum Pairing: UInt8 {
        /// Nobody is asked: neither side can show or ask anything.
        case justWorks = 3
        /// Both sides show a number, and it is confirmed.
        case numericComparison = 1
    }

    /// Whether this is the guest.
    static var isHere: Bool { getenv("TAPLINE_GUEST") != nil }

    let watch: LocalAdapter
    let phone: LocalAdapter
    private let management: Management

    /// Switches both adapters on, without keys.
    init() throws {
        management = try Management()
        watch = try LocalAdapter.named("hci0")
        phone = try LocalAdapter.named("hci1")
        Agent.start()
        for adapter in [watch, phone] {
            try management.command(.setPowered, adapter, [0])
            try management.command(.setLowEnergy, adapter, [1])
            try management.command(.setSecureConnections, adapter, [1])
            try management.command(.setBondable, adapter, [1])
            try management.command(.setConnectable, adapter, [adapter == watch ? 1 : 0])
            try management.command(.setPowered, adapter, [1])
        }
        try management.command(.setAdvertising, watch, [1])
        forget()
    }

    /// The watch as the phone sees it.
    var watchPeer: BluetoothPeer { BluetoothPeer(watch.address, .public) }
    /// The phone as the watch sees it.
    var phonePeer: BluetoothPeer { BluetoothPeer(phone.address, .public) }

    /// Gives the two new keys.
    func bond(_ pairing: Pairing) throws {
        forget()
        try management.command(.setCapability, watch, [pairing.rawValue])
        try management.command(.setCapability, phone, [pairing.rawValue])
        try management.command(.pair, phone, address(of: watch) + [pairing.rawValue])
    }

    /// Lets both forget their keys, and parts them.
    func forget() {
        forget(on: phone, watch)
        forget(on: watch, phone)
    }

    /// Lets one of the two forget the keys of the other, and parts them. Not to have any is no failure.
    func forget(on adapter: LocalAdapter, _ other: LocalAdapter) {
        try? management.command(.unpair, adapter, address(of: other) + [1])
    }

    /// Ends the link, if there is one.
    func part() {
        try? management.command(.disconnect, phone, address(of: watch))
    }

    /// Switches an adapter off or on.
    func power(_ power: LocalAdapter.Power, _ adapter: LocalAdapter) throws {
        try management.command(.setPowered, adapter, [power == .on ? 1 : 0])
    }

    /// The address as the kernel wants it, and its kind: LE, public.
    private func address(of adapter: LocalAdapter) -> [UInt8] {
        adapter.address.bytes.reversed() + [1]
    }
}

/// Confirms every number, on a thread of its own, for as long as the process lives.
private enum Agent {
    /// Starts it, unless it runs.
    static func start() { running }

    private static let running: Void = {
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { _ in
                guard let management = try? Management() else { return nil }
                while true {
                    guard let event = try? management.nextEvent() else { continue }
                    guard event.code == Management.confirmationRequest else { continue }
                    try? management.send(.confirm, event.adapter, Array(event.parameters.prefix(7)))
                }
            }, nil)
        pthread_detach(thread)
    }()
}
