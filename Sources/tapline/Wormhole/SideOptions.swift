import ArgumentParser
import WatchLink
import Wormhole

/// Which end of the wormhole a command speaks for.
enum SideChoice: String, ExpressibleByArgument, CaseIterable {
    /// The phone's: any number of watches connect to it.
    case phone
    /// A watch's: it connects to one phone.
    case watch

    var role: LinkRole {
        switch self {
        case .phone: .phone
        case .watch: .watch
        }
    }
}

/// A name of a message, from the command line.
extension MessageName: ExpressibleByArgument {
    /// Nil for one that is empty or longer than 32 bytes.
    public init?(argument: String) {
        guard let name = try? MessageName(argument) else { return nil }
        self = name
    }
}

/// The endpoint that a command of `tapline wormhole` speaks through.
struct SideOptions: ParsableArguments {
    @Option(name: .customLong("as"), help: ArgumentHelp("Speak for this end: phone or watch.", valueName: "side"))
    var side: SideChoice = .phone

    @Option(help: ArgumentHelp("The directory of the sockets, where the two ends meet.", valueName: "directory"))
    var sockets: String = Places.usual.sockets

    @Option(
        help: ArgumentHelp(
            "Where this end keeps its messages; by default wormhole-SIDE.sqlite beside the phone's database.",
            valueName: "file"))
    var database: String?

    @Option(
        help: ArgumentHelp(
            "Also take watches that are paired over Bluetooth: bluetooth, or bluetooth:ADAPTER.", valueName: "link"))
    var link: LinkChoice?

    /// The database, with the directory of the usual one.
    var databasePath: String { database ?? "\(Places.usual.data)/wormhole-\(side.rawValue).sqlite" }

    func validate() throws {
        try link?.demandBluetooth()
        if link != nil, side == .watch {
            throw ValidationError("A shell is a watch over sockets only: leave out --link, or take --as phone.")
        }
    }
}
