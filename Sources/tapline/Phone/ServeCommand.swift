import ArgumentParser
import CommandSupport
import Foundation
import HostSystem
import Logging
import PhoneHost
import Synchronization
import Wormhole

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve watches until interrupted.",
        usage: "tapline phone serve [OPTION ...]",
        discussion: """
            Prints one line on the standard output once watches can connect, and one line for each event on the \
            standard error. Exits with status 0 on SIGINT, SIGTERM and SIGHUP. Meanwhile `tapline wormhole` passes \
            messages and sends files to its watches through it.

            EXAMPLES
              tapline phone serve
              tapline phone serve --database /tmp/phone.sqlite --sockets /tmp/sockets
              tapline phone serve --link bluetooth
            """)

    @Option(
        help: ArgumentHelp(
            "The phone's name as watches show it, cut after 32 bytes; by default this machine's.", valueName: "name"))
    var name: String?

    @Option(
        help: ArgumentHelp(
            "Also serve watches over Bluetooth: bluetooth, or bluetooth:ADAPTER such as bluetooth:hci1.",
            valueName: "link"))
    var link: LinkChoice?

    @Flag(name: .shortAndLong, help: "Log every message.")
    var verbose = false

    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func validate() throws {
        try link?.demandBluetooth()
    }

    /// A host does not start if its limit of open descriptors is below this. A host has 20 descriptors open before a watch
    /// connects. It crashes if it needs a descriptor and none is free: see `Descriptors.haveRoomForPeer`.
    private static let leastDescriptors: UInt = 32

    func run() async throws {
        if let limit = Descriptors.limit, limit < ServeCommand.leastDescriptors {
            throw CommandFailure.tooFewDescriptors(limit)
        }
        let store = try places.open()
        let sockets = try PhoneSockets(in: places.sockets, database: places.database)
        let level: Logger.Level = verbose ? .debug : .info
        let logger = Logger(standardErrorOf: "tapline.phone", level).aboutPeers()
        // The system bus may not answer. Nothing is served yet, so a signal still ends the program as usual.
        let others = try await link?.bondedWatches(logger) ?? []
        let signals = StopSignals()
        let server = PhoneServer(
            store: store, sockets: sockets, others: others, name: name ?? ProcessInfo.processInfo.hostName,
            logger: logger)
        try await server.start()
        // The host also serves if its output is closed.
        if output.json {
            let ready: JSONObject = [
                "state": "ready", "process": getpid(), "database": places.database, "socket": sockets.watchPath,
            ]
            try? StandardOutput.print(ready.line + "\n")
        } else {
            try? StandardOutput.print("Serving \(places.database) at \(sockets.watchPath)\n")
        }
        let accounts = Task { await keepAccounts(of: store, server, logger) }
        let signal = await signals.first()
        accounts.cancel()
        await accounts.value
        logger.info("stopping on \(signal)")
        await server.stop()
        try store.close()
    }

    private static let secondsBetweenSyncs = 300.0

    /// Syncs the calendar accounts, and logs the results, until the task is cancelled. The host serves watches meanwhile,
    /// so no watch waits for a calendar server.
    private func keepAccounts(of store: PhoneStore, _ server: PhoneServer, _ logger: Logger) async {
        let told = Mutex<Set<String>>([])
        await AccountKeeper(store).run(every: ServeCommand.secondsBetweenSyncs) { result in
            switch result {
            case .success(let reports):
                if reports.contains(where: \.hasChangedRows) { await server.listChanged() }
                let lines = reports.flatMap(SyncText.lines)
                for line in lines where !line.hasSuffix(": in step") { logger.info("\(line)") }
                // An item may be refused in many syncs, but is logged once.
                let items = Set(reports.flatMap(SyncText.items))
                let news = told.withLock { told in
                    defer { told = items }
                    return items.subtracting(told)
                }
                for line in news.sorted() { logger.info("\(line)") }
            case .failure(let error): logger.warning("the accounts could not be synced: \(error)")
            }
        }
    }
}
