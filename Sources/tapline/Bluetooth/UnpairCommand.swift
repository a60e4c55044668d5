import ArgumentParser
import BluetoothBridge
import CommandSupport

/// `tapline unpair`: forgets the keys of a watch.
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
