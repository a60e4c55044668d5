import ArgumentParser
import Wormhole

package enum LinkChoice: ExpressibleByArgument, Equatable {
    /// The sockets in this directory; nil means the usual directory.
    case unix(directory: String?)
    /// A Bluetooth adapter; nil means the first one that is on.
    case bluetooth(adapter: String?)

    /// Reads `unix`, `unix:DIRECTORY`, `bluetooth` or `bluetooth:ADAPTER`.
    package init?(argument: String) {
        let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let detail = parts.count == 2 ? String(parts[1]) : nil
        guard detail != "" else { return nil }
        switch parts[0] {
        case "unix": self = .unix(directory: detail)
        case "bluetooth": self = .bluetooth(adapter: detail)
        case _: return nil
        }
    }
}

/// The options of `tapline watch` for the simulated watch. Most of them also apply to firmware that the emulator executes.
package struct WatchOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The link to the phone: unix, unix:DIRECTORY, bluetooth, or bluetooth:ADAPTER such as bluetooth:hci0. By "
                + "default unix, where `tapline phone serve` serves.",
            valueName: "link"))
    package var link: LinkChoice?

    @Option(help: ArgumentHelp("Short for --link unix:DIRECTORY.", valueName: "directory"))
    package var sockets: String?

    @Option(help: ArgumentHelp("The file that holds the watch's flash memory, created if missing.", valueName: "file"))
    package var flash: String?

    @Flag(help: "Run the script of --script, or those of --scripts, without a display, then exit.")
    package var headless = false

    @Option(
        help: ArgumentHelp("The script to run; - for standard input.", valueName: "file"), completion: .file())
    package var script: String?

    @Option(
        help: ArgumentHelp(
            "Run every *.script and *.tapline in this directory in the order of their names, each on a new watch. The exit "
                + "status is 1 if one fails.",
            valueName: "directory"))
    package var scripts: String?

    @Option(help: ArgumentHelp("Also write the results of --scripts as JUnit XML.", valueName: "file"))
    package var junit: String?

    @Flag(
        help: ArgumentHelp(
            "Give each script its own phone with an empty list and, without --flash, a new watch. Both end with the script. They "
                + "share a virtual clock, so a script prints the same bytes on every machine."))
    package var withPhone = false

    @Flag(help: "Print the screen as text, also in a terminal.")
    package var plain = false

    package init() {}

    /// Throws if options contradict each other. `attaches` is true if the command sends its script to a running watch.
    package func check(attaches: Bool = false) throws {
        if headless && plain { throw ValidationError("--headless has no display: leave out --plain.") }
        if headless && script == nil && scripts == nil {
            throw ValidationError("--headless needs --script FILE or --scripts DIRECTORY.")
        }
        if script != nil && scripts != nil { throw ValidationError("Use either --script or --scripts, not both.") }
        if !headless && !attaches && script != nil { throw ValidationError("--script needs --headless.") }
        if !headless && scripts != nil { throw ValidationError("--scripts needs --headless.") }
        if !headless && withPhone { throw ValidationError("--with-phone needs --headless.") }
        if junit != nil && scripts == nil { throw ValidationError("--junit needs --scripts DIRECTORY.") }
        if scripts != nil && flash != nil {
            throw ValidationError("--scripts plays each script on a new watch: leave out --flash.")
        }
        if withPhone && (link != nil || sockets != nil) {
            throw ValidationError("--with-phone brings its own phone: leave out --link and --sockets.")
        }
        if sockets != nil && link != nil { throw ValidationError("Use either --link or --sockets, not both.") }
    }

    /// Whether the link is Bluetooth. A real radio has delays of its own, so no radio delays are simulated.
    package var linkIsRadio: Bool {
        if case .bluetooth = link { true } else { false }
    }

    package var socketDirectory: String {
        if case .unix(let directory?) = link { return directory }
        return sockets ?? Places.usual.sockets
    }

    /// The path of the phone's socket for watches. Throws if the path is too long for a socket, because the radio would try to
    /// connect forever.
    package var socketPath: String {
        get throws(WormholeError) {
            let path = "\(socketDirectory)/watch.sock"
            _ = try UnixAddress(path: path)
            return path
        }
    }
}
