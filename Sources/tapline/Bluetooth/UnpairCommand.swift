import ArgumentParser
import BluetoothBridge

/// `tapline unpair`: forgets the keys of a watch.
struct UnpairCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpair",
        abstract: "Forget a paired watch, or a paired phone on the watch's side.",
        discussion: """
            The other side still has its keys and cannot connect with them any more: unpair there, too, and pair again.

            EXAMPLES
              tapline unpair 00:1B:DC:07:32:EF
              tapline unpair --all
            """)

    @Argument(help: ArgumentHelp("The device to forget.", valueName: "address"))
    var address: String?

    @Option(help: ArgumentHelp("The dongle that knows it, such as hci0; the first that is on.", valueName: "name"))
    var adapter: String?

    @Flag(help: "Forget every device that Tapline's service is known of.")
    var all = false

    func validate() throws {
        if (address == nil) != all { throw ValidationError("Which one? Give an ADDRESS, or --all.") }
        if let address, BluetoothAddress(address) == nil {
            throw ValidationError(BluetoothError.malformedAddress(address).description)
        }
    }

    func run() async throws {
        let control = try BlueZControl()
        let dongle = try await control.adapter(named: adapter)
        let bonds = try await control.bonds(on: dongle.name)
        let chosen = bonds.filter { device in
            all ? device.services.contains(.tapline) : device.peer.address == address.flatMap { BluetoothAddress($0) }
        }
        if let address, chosen.isEmpty, let wanted = BluetoothAddress(address) {
            throw BluetoothError.notPaired(wanted)
        }
        for device in chosen {
            try await control.forget(device.peer, on: dongle.name)
            PhoneReport.write("Forgot \(device.name ?? "") \(device.peer.address)\n")
        }
        if chosen.isEmpty { PhoneReport.write("nothing to forget\n") }
    }
}
