import BluetoothBridge
import Glibc
import HostSystem
import Synchronization

/// Two Bluetooth adapters within radio range of each other, in the virtual machine that Tests/bluetooth boots. The
/// watch has hci0, and the phone has hci1.
///
/// Only the watch's adapter advertises and accepts connections, because the virtual controllers do not work otherwise.
package struct Air {
    /// A way to pair. The raw value is the I/O capability that both adapters get.
    package enum Pairing: UInt8, Sendable {
        /// Neither side can show or ask anything, so nothing is confirmed.
        case justWorks = 3
        /// Both sides show a number, and a person confirms it.
        case numericComparison = 1
    }

    /// A person's answer to the question whether both sides show the same number.
    package enum Answer: UInt8, AtomicRepresentable, Sendable {
        case yes
        case no
    }

    package static var isHere: Bool { getenv("TAPLINE_GUEST") != nil }

    package let watch: LocalAdapter
    package let phone: LocalAdapter
    private let management: Management

    /// Switches both adapters on, and deletes their keys.
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

    /// Chooses the person's answer for all later questions. After `init`, the answer is `yes`.
    package func answer(_ answer: Answer) { Agent.answer.store(answer, ordering: .sequentiallyConsistent) }

    package var watchPeer: BluetoothPeer { BluetoothPeer(watch.address, .public) }
    package var phonePeer: BluetoothPeer { BluetoothPeer(phone.address, .public) }

    /// Deletes the old keys, and pairs the two sides.
    package func bond(_ pairing: Pairing) throws {
        forget()
        try expect(pairing)
        try management.command(.pair, phone, address(of: watch) + [pairing.rawValue])
    }

    /// Sets what both sides can show and ask in later pairings.
    package func expect(_ pairing: Pairing) throws {
        for adapter in [watch, phone] { try management.command(.setCapability, adapter, [pairing.rawValue]) }
    }

    /// Ends the link, and makes both sides forget their keys.
    package func forget() {
        // Without this, a new link could get the end event of the old link. If there is no link, `part` fails, which is
        // fine.
        try? part()
        forget(on: phone, watch)
        forget(on: watch, phone)
    }

    /// Makes one side forget its keys for the other side, if it has any, and ends the link.
    package func forget(on adapter: LocalAdapter, _ other: LocalAdapter) {
        try? management.command(.unpair, adapter, address(of: other) + [1])
    }

    /// Ends the link, and waits until both adapters have reported the end.
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

    /// Hides the watch from other devices. The kernel lets the watch connect to the phone only while the watch does not
    /// advertise.
    package func stopAdvertising() throws {
        try management.command(.setAdvertising, watch, [0])
    }

    /// Returns the address in the kernel's form, lowest byte first, and then its kind: 1 for a public LE address.
    private func address(of adapter: LocalAdapter) -> [UInt8] {
        adapter.address.bytes.reversed() + [1]
    }
}

/// Answers the kernel's question whether two numbers are the same. It runs on its own thread until the process ends.
enum Agent {
    static let answer = Atomic(Air.Answer.yes)

    /// Starts the thread if it does not run yet.
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
