import ArgumentParser
import BluetoothBridge
import Foundation
import HostSystem
import WatchLink

/// `tapline pair`: makes this machine, as a phone, and a watch know each other.
struct PairCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair",
        abstract: "Pair a watch with this machine over Bluetooth.",
        discussion: """
            Looks for watches nearby and prints their addresses and signal strengths. If there is only one, or ADDRESS \
            names one, both sides show six digits: compare them and confirm on both. On the watch, hold the crown.

            A watch can be found while `tapline watch --link bluetooth` runs on another machine, or on another adapter \
            of this one. With two adapters here, choose the phone's with --adapter.

            EXAMPLES
              tapline pair
              tapline pair --list
              tapline pair 00:1B:DC:07:32:EF
              tapline pair --adapter hci1 --list --json
            """)

    @Argument(help: ArgumentHelp("The watch to pair with; not needed if only one is nearby.", valueName: "address"))
    var address: String?

    @Option(help: ArgumentHelp("The adapter to use, such as hci0; by default the first that is on.", valueName: "name"))
    var adapter: String?

    @Option(help: ArgumentHelp("How long to look for watches.", valueName: "seconds"))
    var seconds: Int = 15

    @Flag(help: "Only list the adapters and the watches nearby.")
    var list = false

    @OptionGroup var output: OutputOption

    func validate() throws {
        guard (1...120).contains(seconds) else { throw ValidationError("--seconds is 1 to 120.") }
        if output.json && !list { throw ValidationError("--json needs --list: pairing asks questions.") }
        if let address, BluetoothAddress(address) == nil {
            throw ValidationError(BluetoothError.malformedAddress(address).description)
        }
    }

    func run() async throws {
        let control = try BlueZControl()
        let dongle = try await control.adapter(named: adapter)
        switch dongle.power {
        case .on: break
        case .off: try await control.powerOn(dongle.name)
        }
        if list {
            try await listNearby(control, dongle)
        } else {
            let watch = try await choose(control, dongle)
            try await pair(with: watch, control, dongle)
        }
    }
}

// MARK: Looking

extension PairCommand {
    private func listNearby(_ control: some BluetoothControl, _ dongle: BluetoothAdapter) async throws {
        let adapters = try await control.adapters()
        if !output.json {
            for adapter in adapters {
                PhoneReport.write("\(adapter.name)  \(adapter.address)  \(adapter.power == .on ? "on" : "off")\n")
            }
        }
        var found: [BluetoothPeer: BluetoothDevice] = [:]
        for window in windows {
            for try await device in control.discover(.tapline, on: dongle.name, for: window) {
                if found.updateValue(device, forKey: device.peer) == nil, !output.json { Self.show(device) }
            }
        }
        if output.json {
            let watches = found.values.sorted { $0.peer.address.description < $1.peer.address.description }
            try PhoneReport.printJSON(Nearby(adapters: adapters.map(Dongle.init), watches: watches.map(Watch.init)))
        } else if found.isEmpty {
            PhoneReport.write("no watch nearby\n")
        }
    }

    private static func show(_ device: BluetoothDevice) {
        let signal = device.signalStrength.map { "\($0) dBm" } ?? "no signal"
        let state = device.isBonded ? "  paired" : ""
        PhoneReport.write("\(device.peer.address)  \(device.name ?? "(no name)")  \(signal)\(state)\n")
    }

    /// The watch that is meant: the one of the address, or the only one that is near and not paired yet.
    private func choose(_ control: some BluetoothControl, _ dongle: BluetoothAdapter) async throws -> BluetoothDevice {
        PhoneReport.write("Looking for watches with \(dongle.name) (\(dongle.address))\n")
        var found: [BluetoothPeer: BluetoothDevice] = [:]
        let wanted = address.flatMap { BluetoothAddress($0) }
        for device in try await control.devices(on: dongle.name) {
            // What is left of a connection from before keeps a watch that was forgotten from being asked.
            if device.peer.address == wanted, !device.isBonded {
                try? await control.disconnect(from: device.peer, on: dongle.name)
            }
            // BlueZ remembers for a while what it has found: right after a list there is nothing to look for. A watch
            // that is connected does not advertise.
            if device.peer.address == wanted { return device }
            if device.isBonded, device.connection != .none { found[device.peer] = device }
        }
        for window in windows {
            for try await device in control.discover(.tapline, on: dongle.name, for: window) {
                if found.updateValue(device, forKey: device.peer) == nil { Self.show(device) }
                if device.peer.address == wanted { return device }
            }
            // All that one look has shown: with two strangers near it is for a person to say which.
            let strangers = found.values.filter { !$0.isBonded }
            if wanted == nil, strangers.count > 1 { throw PairFailure.severalNear }
            if wanted == nil, let stranger = strangers.first { return stranger }
        }
        if let wanted { throw BluetoothError.outOfReach(wanted) }
        throw PairFailure.nothingNear(paired: found.count)
    }

    /// The time for looking, in short looks one after the other: a watch that begins to advertise just behind the
    /// beginning of a look is now and then noticed ten seconds later, when the kernel begins its next one.
    private var windows: [Microseconds] {
        stride(from: 0, to: seconds, by: 3).map { .seconds(UInt32(min(3, seconds - $0))) }
    }

    private struct Nearby: Encodable {
        var adapters: [Dongle]
        var watches: [Watch]
    }

    private struct Dongle: Encodable {
        var name: String
        var address: String
        var power: String

        init(_ adapter: BluetoothAdapter) {
            name = adapter.name
            address = adapter.address.description
            power = adapter.power == .on ? "on" : "off"
        }
    }

    private struct Watch: Encodable {
        var address: String
        var name: String?
        var signal: Int?
        var trust: String

        init(_ device: BluetoothDevice) {
            address = device.peer.address.description
            name = device.name
            signal = device.signalStrength
            switch device.trust {
            case .stranger: trust = "stranger"
            case .paired: trust = "paired"
            case .bonded: trust = "bonded"
            }
        }
    }
}

// MARK: Pairing

extension PairCommand {
    private func pair(
        with watch: BluetoothDevice, _ control: some BluetoothControl, _ dongle: BluetoothAdapter
    ) async throws {
        if watch.isBonded {
            PhoneReport.write("\(watch.peer.address) is already paired\n")
            return
        }
        let name = watch.name ?? watch.peer.address.description
        PhoneReport.write("Pairing with \(name)\n")
        do {
            try await control.pair(with: watch.peer, on: dongle.name) { request in
                await Self.compare(request)
            }
        } catch {
            // A connected watch does not advertise, so that another attempt could not find it.
            try? await control.disconnect(from: watch.peer, on: dongle.name)
            throw error
        }
        let link = adapter == nil ? "bluetooth" : "bluetooth:\(dongle.name)"
        PhoneReport.write("Paired with \(name): `tapline phone serve --link \(link)` serves it\n")
    }

    /// Asks on the terminal whether the watch shows the same digits. Any answer but yes is no.
    private static func compare(_ request: PairingRequest) async -> PairingDecision {
        let digits = request.digits
        PhoneReport.write("Does the watch show \(digits.prefix(3)) \(digits.suffix(3))? [y/n] ")
        // A thread of its own: the read may last until the program ends.
        let answer = try? await SystemThread.result { readLine() }
        switch answer?.lowercased() {
        case "y", "yes": return .accept
        case _: return .reject
        }
    }
}

private enum PairFailure: Error, CustomStringConvertible {
    /// There is no watch that is not paired already.
    case nothingNear(paired: Int)
    case severalNear

    var description: String {
        switch self {
        case .nothingNear(0): "no watch nearby: is `tapline watch --link bluetooth` running there?"
        case .nothingNear: "every watch nearby is already paired: `tapline unpair ADDRESS` forgets one"
        case .severalNear: "several watches are nearby: choose one with `tapline pair ADDRESS`"
        }
    }
}
