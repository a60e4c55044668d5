import ArgumentParser
import BluetoothBridge
import CommandSupport
import Foundation
import HostSystem
import WatchLink

struct PairCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair",
        abstract: "Pair a watch with this machine over Bluetooth.",
        discussion: """
            Lists the paired watches and the new ones nearby, and asks which one to pair with; ADDRESS names it. Then both sides \
            show six digits: compare them and confirm on both. On the watch, hold the crown.

            If the watch is already paired, this only connects to it again.

            A watch can be found while `tapline watch --link bluetooth` runs on another machine, or on another adapter \
            of this one. With two adapters here, choose the phone's with --adapter.

            EXAMPLES
              tapline pair
              tapline pair --list
              tapline pair 00:1B:DC:07:32:EF
              tapline pair --adapter hci1 --list --json
            """)

    @Argument(help: ArgumentHelp("The watch to pair with; needed without a terminal.", valueName: "address"))
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
        if !dongle.isOn { try await control.powerOn(dongle.name) }
        if list { return try await listNearby(control, dongle) }
        try StandardOutput.print("Looking for watches with \(dongle.name) (\(dongle.address))\n")
        let watch =
            if let wanted = address.flatMap({ BluetoothAddress($0) }) {
                try await find(wanted, control, dongle)
            } else {
                try await choose(control, dongle)
            }
        try await pair(with: watch, control, dongle)
    }
}

// MARK: Looking

extension PairCommand {
    private func listNearby(_ control: some BluetoothControl, _ dongle: BluetoothAdapter) async throws {
        let adapters = try await control.adapters()
        if !output.json {
            for adapter in adapters {
                try StandardOutput.print(
                    "\(adapter.name)  \(adapter.address)  \(adapter.isOn ? "on" : "off")\n")
            }
        }
        var found: [BluetoothPeer: BluetoothDevice] = [:]
        for window in windows {
            for device in try await control.discover(.tapline, on: dongle.name, for: window) {
                if found.updateValue(device, forKey: device.peer) == nil, !output.json { try Self.show(device) }
            }
        }
        if output.json {
            let watches = found.values.sorted { $0.peer.address.description < $1.peer.address.description }
            try StandardOutput.printJSON(
                ["adapters": adapters.map(Self.object), "watches": watches.map(Self.object)] as JSONObject)
        } else if found.isEmpty {
            try StandardOutput.print("no watch nearby\n")
        }
    }

    private static func show(_ device: BluetoothDevice) throws {
        let state = device.isBonded ? "  paired" : ""
        try StandardOutput.print("\(device.peer.address)  \(device.shownName)  \(device.shownSignal)\(state)\n")
    }

    private func find(
        _ wanted: BluetoothAddress, _ control: some BluetoothControl, _ dongle: BluetoothAdapter
    ) async throws -> BluetoothDevice {
        // BlueZ remembers for a while what it has found, so a device from a recent list needs no new scan.
        if let device = try await control.devices(on: dongle.name).first(where: { $0.peer.address == wanted }) {
            // This machine may have forgotten a watch that is still connected. The old connection would keep the watch from
            // asking for a new pairing.
            if !device.isBonded { try? await control.disconnect(from: device.peer, on: dongle.name) }
            return device
        }
        for window in windows {
            let found = try await control.discover(.tapline, on: dongle.name, for: window) { $0.peer.address == wanted }
            if let device = found.first(where: { $0.peer.address == wanted }) { return device }
        }
        throw BluetoothError.outOfReach(wanted)
    }

    private func choose(_ control: some BluetoothControl, _ dongle: BluetoothAdapter) async throws -> BluetoothDevice {
        let memory = WatchMemory(path: Places.usual.watches)
        var found: [BluetoothPeer: BluetoothDevice] = [:]
        // A connected watch might not advertise.
        for device in try await control.bonds(on: dongle.name)
        where device.services.contains(.tapline) || memory.contains(device.peer, on: dongle.address) {
            found[device.peer] = device
        }
        for window in windows {
            for device in try await control.discover(.tapline, on: dongle.name, for: window) {
                found[device.peer] = device
            }
            // The first scan that finds a watch without a pairing ends the search.
            if found.values.contains(where: { !$0.isBonded }) { break }
        }
        let choice = WatchChoice(among: found.values)
        for line in choice.lines { try StandardOutput.print(line + "\n") }
        if choice.candidates.isEmpty {
            throw CommandFailure(
                choice.known.isEmpty
                    ? "no watch nearby: is `tapline watch --link bluetooth` running there, and does it let phones pair?"
                    : "no new watch nearby: hold the side button on its face, or `tapline unpair ADDRESS` forgets a paired one"
            )
        }
        guard isatty(STDIN_FILENO) == 1 else {
            throw CommandFailure(
                "there is no terminal for choosing a watch: give its address, `tapline pair ADDRESS`")
        }
        try StandardOutput.print(choice.question)
        guard let watch = choice.watch(for: try? await SystemThread.result { readLine() }) else {
            throw CommandFailure("nothing was paired: `tapline pair ADDRESS` pairs with a watch from the list")
        }
        return watch
    }

    /// The lengths of the scans. Together they last as long as the user chose. One long scan is not enough: if a watch begins
    /// to advertise just after a scan began, the kernel sometimes reports the watch only in the next scan.
    private var windows: [Microseconds] {
        stride(from: 0, to: seconds, by: 3).map { .seconds(UInt32(min(3, seconds - $0))) }
    }

    private static func object(_ adapter: BluetoothAdapter) -> JSONObject {
        ["name": adapter.name, "address": adapter.address.description, "power": adapter.isOn ? "on" : "off"]
    }

    private static func object(_ device: BluetoothDevice) -> JSONObject {
        [
            "address": device.peer.address.description, "name": device.name, "signal": device.signalStrength,
            "trust": "\(device.trust)",
        ]
    }
}

// MARK: Pairing

extension PairCommand {
    private func pair(
        with watch: BluetoothDevice, _ control: some BluetoothControl, _ dongle: BluetoothAdapter
    ) async throws {
        let memory = WatchMemory(path: Places.usual.watches)
        if watch.isBonded {
            memory.remember(watch.peer, on: dongle.address)
            return try await connectAgain(to: watch, dongle)
        }
        let name = watch.name ?? watch.peer.address.description
        try StandardOutput.print("Pairing with \(name)\n")
        do {
            try await control.pair(with: watch.peer, on: dongle.name) { request in
                await Self.compare(request)
            }
        } catch {
            // A connected watch does not advertise, so another attempt could not find it.
            try? await control.disconnect(from: watch.peer, on: dongle.name)
            throw error
        }
        memory.remember(watch.peer, on: dongle.address)
        try StandardOutput.print("Paired with \(name): \(serving(dongle))\n")
    }

    /// Connects to a paired watch to test its keys, unless the watch is already connected.
    private func connectAgain(to watch: BluetoothDevice, _ dongle: BluetoothAdapter) async throws {
        let address = watch.peer.address
        if watch.connection == .none {
            try await L2CAPConnector(to: watch.peer, psm: L2CAPListener.usualPSM, from: dongle.address).open().socket
                .close()
        }
        try StandardOutput.print("\(address) is already paired, and is connected again: \(serving(dongle))\n")
    }

    private func serving(_ dongle: BluetoothAdapter) -> String {
        let link = adapter == nil ? "bluetooth" : "bluetooth:\(dongle.name)"
        return "`tapline phone serve --link \(link)` serves it"
    }

    private static func compare(_ request: PairingRequest) async -> PairingDecision {
        // If the question cannot be printed, the user cannot compare.
        guard (try? StandardOutput.print(request.question(about: "watch"))) != nil else { return .reject }
        // A thread of its own, because the read may last until the program ends.
        return PairingDecision(answer: (try? await SystemThread.result { readLine() }) ?? nil)
    }
}

/// The watches from which the user chooses one to pair with. Even a single watch needs the user's answer, because any device
/// can use a watch's name.
struct WatchChoice {
    let known: [BluetoothDevice]
    /// The watches without a pairing. If there are several, the user chooses one by its number in this list, counted from 1.
    let candidates: [BluetoothDevice]

    init(among watches: some Sequence<BluetoothDevice>) {
        let sorted = watches.sorted { $0.peer.address.description < $1.peer.address.description }
        known = sorted.filter(\.isBonded)
        candidates = sorted.filter { !$0.isBonded }
    }

    /// A line for each watch, paired watches first. Then a warning for each name that an unpaired watch shares with another
    /// watch.
    var lines: [String] {
        let old = known.map { watch in
            "\(watch.peer.address)  \(watch.shownName)  paired" + (watch.connection == .none ? "" : ", connected")
        }
        let new = candidates.enumerated().map { number, watch in
            "\(watch.peer.address)  \(watch.shownName)  \(watch.shownSignal)  new"
                + (candidates.count > 1 ? ": \(number + 1)" : "")
        }
        let counts = Dictionary(grouping: known + candidates, by: \.name).mapValues(\.count)
        let repeated = Set(candidates.compactMap(\.name)).filter { counts[$0, default: 0] > 1 }.sorted()
        return old + new + repeated.map { "Several watches are called \($0): compare the addresses" }
    }

    var question: String {
        switch candidates.count {
        case 1: "Pair with \(candidates[0].shownName), \(candidates[0].peer.address)? [y/n] "
        case let count: "Pair with which? [1-\(count), n] "
        }
    }

    func watch(for answer: String?) -> BluetoothDevice? {
        let answer = answer?.trimmingPrefix { $0.isWhitespace }.lowercased() ?? ""
        if candidates.count == 1 { return ["y", "yes"].contains(answer) ? candidates[0] : nil }
        guard let number = Int(answer), candidates.indices.contains(number - 1) else { return nil }
        return candidates[number - 1]
    }
}

extension BluetoothDevice {
    fileprivate var shownName: String { name ?? "(no name)" }
    fileprivate var shownSignal: String { signalStrength.map { "\($0) dBm" } ?? "no signal" }
}

struct UnpairCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpair",
        abstract: "Forget a paired watch, or a paired phone on the watch's side.",
        discussion: """
            The other side keeps its keys, but cannot connect with them any more: unpair there as well before you pair \
            again. `tapline pair --list` prints addresses.

            EXAMPLES
              tapline unpair 00:1B:DC:07:32:EF
              tapline unpair --all
            """)

    @Argument(help: ArgumentHelp("The device to forget.", valueName: "address"))
    var address: String?

    @Option(help: ArgumentHelp("The adapter that knows it, such as hci0; by default all adapters.", valueName: "name"))
    var adapter: String?

    @Flag(help: "Forget every paired watch and phone of Tapline.")
    var all = false

    func validate() throws {
        if (address == nil) != all { throw ValidationError("Give either an ADDRESS or --all.") }
        if let address, BluetoothAddress(address) == nil {
            throw ValidationError(BluetoothError.malformedAddress(address).description)
        }
    }

    func run() async throws {
        let control = try BlueZControl()
        let dongles = adapter == nil ? try await control.adapters() : [try await control.adapter(named: adapter)]
        if dongles.isEmpty { throw BluetoothError.noAdapter(name: nil) }
        let wanted = address.flatMap { BluetoothAddress($0) }
        var forgotten = 0
        for dongle in dongles {
            for device in try await control.bonds(on: dongle.name) {
                guard all ? device.services.contains(.tapline) : device.peer.address == wanted else { continue }
                try? await control.block(device.peer, on: dongle.name)
                try await control.forget(device.peer, on: dongle.name)
                let name = device.name.map { "\($0) " } ?? ""
                try StandardOutput.print(
                    "Forgot \(name)\(device.peer.address): run `tapline unpair` there as well to pair again\n")
                forgotten += 1
            }
        }
        guard forgotten == 0 else { return }
        if let wanted { throw BluetoothError.notPaired(wanted) }
        try StandardOutput.print("nothing to forget\n")
    }
}
