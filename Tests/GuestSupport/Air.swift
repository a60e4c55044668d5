import BluetoothBridge
import Glibc
import Synchronization

/// Two adapters that hear each other, in the guest that Tests/guest/run boots: hci0 is the watch's, hci1 the phone's.
///
/// Only the watch's advertises and takes connections: the virtual controllers do not work otherwise.
public struct Air {
    /// What a person does who is asked whether two numbers are the same.
    public enum Pairing: UInt8, Sendable {
        /// Nobody is asked: neither side can show or ask anything.
        case justWorks = 3
        /// Both sides show a number, and it is confirmed.
        case numericComparison = 1
    }

    /// What a person says who is asked whether two numbers are the same.
    public enum Answer: UInt8, AtomicRepresentable, Sendable {
        /// They are.
        case yes
        /// They are not.
        case no
    }

    /// Whether this is the guest.
    public static var isHere: Bool { getenv("TAPLINE_GUEST") != nil }

    /// The watch's adapter.
    public let watch: LocalAdapter
    /// The phone's adapter.
    public let phone: LocalAdapter
    private let management: Management

    /// Switches both adapters on, without keys.
    public init() throws {
        management = try Management()
        watch = try LocalAdapter.named("hci0")
        phone = try LocalAdapter.named("hci1")
        Agent.start()
        answer(.yes)
        for adapter in [watch, phone] {
            try management.command(.setLowEnergy, adapter, [1])
            try management.command(.setSecureConnections, adapter, [1])
            try management.command(.setBondable, adapter, [1])
            try management.command(.setConnectable, adapter, [adapter == watch ? 1 : 0])
            try management.command(.setPowered, adapter, [1])
        }
        try management.command(.setAdvertising, watch, [1])
        forget()
    }

    /// What the person who is asked says from now on; yes at first.
    public func answer(_ answer: Answer) { Agent.answer.store(answer, ordering: .sequentiallyConsistent) }

    /// The watch as the phone sees it.
    public var watchPeer: BluetoothPeer { BluetoothPeer(watch.address, .public) }
    /// The phone as the watch sees it.
    public var phonePeer: BluetoothPeer { BluetoothPeer(phone.address, .public) }

    /// Gives the two new keys.
    public func bond(_ pairing: Pairing) throws {
        forget()
        try expect(pairing)
        try management.command(.pair, phone, address(of: watch) + [pairing.rawValue])
    }

    /// What both sides can show and ask when they pair from now on.
    public func expect(_ pairing: Pairing) throws {
        for adapter in [watch, phone] { try management.command(.setCapability, adapter, [pairing.rawValue]) }
    }

    /// Lets both forget their keys, and parts them.
    public func forget() {
        // A new link would catch the end of the old one otherwise. Not to have any is no failure.
        try? part()
        forget(on: phone, watch)
        forget(on: watch, phone)
    }

    /// Lets one of the two forget the keys of the other, and parts them. Not to have any is no failure.
    public func forget(on adapter: LocalAdapter, _ other: LocalAdapter) {
        try? management.command(.unpair, adapter, address(of: other) + [1])
    }

    /// Ends the link, and returns once both sides know.
    public func part() throws {
        let observer = try Management()
        try management.command(.disconnect, phone, address(of: watch))
        var waiting = Set([watch, phone].map { UInt16($0.index) })
        while !waiting.isEmpty {
            let event = try observer.nextEvent()
            if event.code == Management.deviceDisconnected { waiting.remove(event.adapter) }
        }
    }

    /// Switches an adapter off or on.
    public func power(_ power: LocalAdapter.Power, _ adapter: LocalAdapter) throws {
        try management.command(.setPowered, adapter, [power == .on ? 1 : 0])
    }

    /// Lets nobody new find the watch. While it can be found the kernel lets it open no channel by itself.
    public func stopAdvertising() throws {
        try management.command(.setAdvertising, watch, [0])
    }

    /// The address as the kernel wants it, and its kind: LE, public.
    private func address(of adapter: LocalAdapter) -> [UInt8] {
        adapter.address.bytes.reversed() + [1]
    }
}
