import ArgumentParser
import CommandSupport
import WatchLink
import Wormhole

enum SideChoice: String, ExpressibleByArgument, CaseIterable {
    case phone
    case watch

    var role: LinkRole {
        switch self {
        case .phone: .phone
        case .watch: .watch
        }
    }
}

extension MessageName: ExpressibleByArgument {
    /// Makes a name from a word of the command line. Nil if the word is empty, is longer than 32 bytes, or is a negative
    /// number: see `WormholeCommand.wordsWithNegativeNumbers`.
    public init?(argument: String) {
        guard !argument.hasPrefix(" -"), let name = try? MessageName(argument) else { return nil }
        self = name
    }
}

struct SideOptions: ParsableArguments {
    @Option(name: .customLong("as"), help: ArgumentHelp("Speak for this end: phone or watch.", valueName: "side"))
    var side: SideChoice = .phone

    @Option(
        name: .customLong("sockets"),
        help: ArgumentHelp(
            "The directory of the sockets, where the two ends meet; by default \(Places.usual.sockets).",
            valueName: "directory"))
    var socketDirectory: String?

    @Option(
        help: ArgumentHelp(
            "Where this end keeps its messages; by default wormhole-SIDE.sqlite beside the phone's database.",
            valueName: "file"))
    var database: String?

    @Option(
        help: ArgumentHelp(
            "Bluetooth, with this adapter or the first that is on: bluetooth, or bluetooth:ADAPTER. A phone takes paired "
                + "watches besides those of its sockets; a watch lets phones find it, instead of looking for one in "
                + "--sockets.",
            valueName: "link"))
    var link: LinkChoice?

    @Option(
        name: .customLong("name"),
        help: ArgumentHelp("The name that the other end sees; by default this machine's.", valueName: "name"))
    var shownName: String?

    @Flag(
        help: ArgumentHelp(
            "As a watch over Bluetooth: let phones pair for two minutes from the start, and compare the digits at the "
                + "terminal. A watch without a bond does so by itself."))
    var pairing = false

    /// The directory that has the socket of the link, and the control sockets over which commands share an endpoint.
    var sockets: String { socketDirectory ?? Places.usual.sockets }

    var databasePath: String { database ?? "\(Places.usual.data)/wormhole-\(side.rawValue).sqlite" }

    /// The options that choose this end, for a command that the user can paste into a shell. Each word is quoted if
    /// necessary, and has a space in front.
    var pasted: String {
        var words = side == .watch ? ["--as", "watch"] : []
        if let socketDirectory { words += ["--sockets", socketDirectory] }
        if let database { words += ["--database", database] }
        return words.map { " " + SideOptions.quotedForShell($0) }.joined()
    }

    private static func quotedForShell(_ word: String) -> String {
        let plain = word.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "/", ".", "-", "_", ":", ",", "+", "=", "@": true
            case _: false
            }
        }
        return plain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }

    func validate() throws {
        try link?.demandBluetooth()
        switch side {
        case .phone:
            if pairing { throw ValidationError("--pairing needs --as watch; a phone pairs with `tapline pair`.") }
        case .watch:
            if link != nil, socketDirectory != nil {
                throw ValidationError("A watch has one phone: use either --link or --sockets, not both.")
            }
            if pairing, link == nil { throw ValidationError("--pairing needs --link bluetooth.") }
        }
        if let shownName, !(1...MessageName.longest).contains(shownName.utf8.count) {
            throw ValidationError("--name is 1 to \(MessageName.longest) bytes.")
        }
    }
}
