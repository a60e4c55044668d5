import BluetoothBridge
import Glibc
import HostSystem
import Synchronization

/// Two adapters in reach of each other, in the guest that Tests/bluetooth boots: hci0 is the watch's, hci1 the phone's.
///
/// Only the watch's adapter advertises and accepts connections, because the virtual controllers do not work otherwise.
package struct Air {
    /// How the two sides pair.
    package enum Pairing: UInt8, Sendable {
        /// Without a question: neither side can show or ask anything.
        case justWorks = 3
        /// Both sides show a number, and a person confirms it.
        case numericComparison = 1
    }

    /// The person's answer to the question whether the two numbers are the same.
    package enum Answer: UInt8, AtomicRepresentable, Sendable {
        case yes
        case no
    }

    package static var isHere: Bool { getenv("TAPLINE_GUEST") != nil }

    package let watch: LocalAdapter
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

    /// Sets the person's answer from now on. It is `yes` at first.
    package func answer(_ answer: Answer) { Agent.answer.store(answer, ordering: .sequentiallyConsistent) }

    /// The watch as the phone sees it.
    package var watchPeer: BluetoothPeer { BluetoothPeer(watch.address, .public) }
    /// The phone as the watch sees it.
    package var phonePeer: BluetoothPeer { BluetoothPeer(phone.address, .public) }

    /// Gives both sides new keys.
    package func bond(_ pairing: Pairing) throws {
        forget()
        try expect(pairing)
        try management.command(.pair, phone, address(of: watch) + [pairing.rawValue])
    }

    /// Sets what both sides can show and ask when they pair from now on.
    package func expect(_ pairing: Pairing) throws {
        for adapter in [watch, phone] { try management.command(.setCapability, adapter, [pairing.rawValue]) }
    }

    /// Makes both sides forget their keys, and ends the link.
    package func forget() {
        // Otherwise a new link would get the end of the old one. That there may be no link is fine.
        try? part()
        forget(on: phone, watch)
        forget(on: watch, phone)
    }

    /// Makes one side forget the keys of the other, and ends the link. It may have no keys.
    package func forget(on adapter: LocalAdapter, _ other: LocalAdapter) {
        try? management.command(.unpair, adapter, address(of: other) + [1])
    }

    /// Ends the link, and returns when both sides know.
    package func part() throws {
        let observer = try Management()
        try management.command(.disconnect, phone, address(of: watch))
        var waiting = Set([watch, phone].map { UInt16($0.index) })
        while !waiting.isEmpty {
            let event = try observer.nextEvent()
            if event.code == Management.deviceDisconnected { waiting.remove(event.adapter) }
        }
    }

    package func power(_ isOn: Bool, _ adapter: LocalAdapter) throws {
        try management.command(.setPowered, adapter, [isOn ? 1 : 0])
    }

    /// Hides the watch from other devices. While devices can find it, the kernel lets it open no channel by itself.
    package func stopAdvertising() throws {
        try management.command(.setAdvertising, watch, [0])
    }

    /// The address in the kernel's form, and its kind: LE, public.
    private func address(of adapter: LocalAdapter) -> [UInt8] {
        adapter.address.bytes.reversed() + [1]
    }
}

/// Answers whether two numbers are the same, on its own thread, until the process ends.
enum Agent {
    static let answer = Atomic(Air.Answer.yes)

    /// Starts the thread, unless it runs.
    static func start() { running }

    private static let running: Void = {
        _ = try? SystemThread {
            guard let management = try? Management() else { return }
            while true {
                guard let event = try? management.nextEvent() else { continue }
                guard event.code == Management.confirmationRequest else { continue }
                let answer = Agent.answer.load(ordering: .sequentiallyConsistent)
                try? management.send(
                    answer == .yes ? .confirm : .deny, event.adapter, Array(event.parameters.prefix(7)))
            }
        }
    }()
}
