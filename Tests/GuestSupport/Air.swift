import BluetoothBridge
import Glibc
import Synchronization

/// Two adapters that hear each other, in the guest that Tests/bluetooth boots: hci0 is the watch's, hci1 the phone's.
///
/// Only the watch's advertises and takes connections: the virtual controllers do not work otherwise.
package struct Air {
    /// What a person does who is asked whether two numbers are the same.
    package enum Pairing: UInt8, Sendable {
        /// Nobody is asked: neither side can show or ask anything.
        case justWorks = 3
        /// Both sides show a number, and it is confirmed.
        case numericComparison = 1
    }

    /// What a person says who is asked whether two numbers are the same.
    package enum Answer: UInt8, AtomicRepresentable, Sendable {
        /// They are.
        case yes
        /// They are not.
        case no
    }

    /// Whether this is the guest.
    package static var isHere: Bool { getenv("TAPLINE_GUEST") != nil }

    /// The watch's adapter.
    package let watch: LocalAdapter
    /// The phone's adapter.
    package let phone: LocalAdapter
    private let management: Management

    /// Switches both adapters on, without keys.
    package init() throws {
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
    package func answer(_ answer: Answer) { Agent.answer.store(answer, ordering: .sequentiallyConsistent) }

    /// The watch as the phone sees it.
    package var watchPeer: BluetoothPeer { BluetoothPeer(watch.address, .public) }
    /// The phone as the watch sees it.
    package var phonePeer: BluetoothPeer { BluetoothPeer(phone.address, .public) }

    /// Gives the two new keys.
    package func bond(_ pairing: Pairing) throws {
        forget()
        try expect(pairing)
        try management.command(.pair, phone, address(of: watch) + [pairing.rawValue])
    }

    /// What both sides can show and ask when they pair from now on.
    package func expect(_ pairing: Pairing) throws {
        for adapter in [watch, phone] { try management.command(.setCapability, adapter, [pairing.rawValue]) }
    }

    /// Lets both forget their keys, and parts them.
    package func forget() {
        // A new link would catch the end of the old one otherwise. Not to have any is no failure.
        try? part()
        forget(on: phone, watch)
        forget(on: watch, phone)
    }

    /// Lets one of the two forget the keys of the other, and parts them. Not to have any is no failure.
    package func forget(on adapter: LocalAdapter, _ other: LocalAdapter) {
        try? management.command(.unpair, adapter, address(of: other) + [1])
    }

    /// Ends the link, and returns once both sides know.
    package func part() throws {
        let observer = try Management()
        try management.command(.disconnect, phone, address(of: watch))
        var waiting = Set([watch, phone].map { UInt16($0.index) })
        while !waiting.isEmpty {
            let event = try observer.nextEvent()
            if event.code == Management.deviceDisconnected { waiting.remove(event.adapter) }
        }
    }

    /// Switches an adapter off or on.
    package func power(_ power: LocalAdapter.Power, _ adapter: LocalAdapter) throws {
        try management.command(.setPowered, adapter, [power == .on ? 1 : 0])
    }

    /// Lets nobody new find the watch. While it can be found the kernel lets it open no channel by itself.
    package func stopAdvertising() throws {
        try management.command(.setAdvertising, watch, [0])
    }

    /// The address as the kernel wants it, and its kind: LE, public.
    private func address(of adapter: LocalAdapter) -> [UInt8] {
        adapter.address.bytes.reversed() + [1]
    }
}
