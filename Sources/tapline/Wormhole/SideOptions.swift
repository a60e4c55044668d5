import ArgumentParser
import Foundation
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

/// A length of time: `2s`, `500ms`, `3m`.
struct DurationChoice: ExpressibleByArgument, Equatable, CustomStringConvertible {
    /// The longest: a day.
    private static let longest: UInt64 = 86_400_000

    let milliseconds: UInt32

    /// Whole numbers up to a day; nil for anything else.
    init?(argument: String) {
        let units: [(String, UInt64)] = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000)]
        guard let (unit, size) = units.first(where: { argument.hasSuffix($0.0) }),
            let count = UInt64(argument.dropLast(unit.count)), count <= DurationChoice.longest
        else { return nil }
        self.init(milliseconds: UInt32(clamping: count * size))
        guard count * size <= DurationChoice.longest else { return nil }
    }

    init(milliseconds: UInt32) {
        self.milliseconds = milliseconds
    }

    var microseconds: Microseconds { .milliseconds(milliseconds) }

    var description: String {
        milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000)s" : "\(milliseconds)ms"
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
        if case .unix = link {
            throw ValidationError("--link is bluetooth or bluetooth:ADAPTER; --sockets says where sockets are.")
        }
        if link != nil, side == .watch {
            throw ValidationError("A shell is a watch over sockets only: leave out --link, or take --as phone.")
        }
    }
}
