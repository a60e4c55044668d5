import ArgumentParser
import Foundation
import HostSystem

/// The command: a watch, its phone, and what joins them.
@main
struct Tapline: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tapline",
        abstract: "A watch, its phone and the link between them.",
        discussion: """
            The watch shows a list, the phone keeps it, and a Unix socket or Bluetooth connects them. A row that you \
            tap on the watch is checked off on the phone.

            EXAMPLES
              tapline phone add Milk "Rye bread" Eggs
              tapline phone serve &
              tapline watch
              tapline lab
            """,
        version: version,
        subcommands: [
            WatchCommand.self,
            PhoneCommand.self, WormholeCommand.self, PairCommand.self, UnpairCommand.self, LabCommand.self,
            DoctorCommand.self, SoakCommand.self, CyclesCommand.self, CountCommand.self,
        ])
}

extension Tapline {
    /// The version of the command.
    static let version = "0.1.0"

    /// With fewer the runtime may end the program in the middle: `Descriptors.haveRoomForPeer` says why.
    private static let leastDescriptors: UInt = 16

    /// Runs the command. Its errors have names and titles of others in them, so they are cleaned before a terminal gets them.
    static func main() async {
        Descriptors.reserveStandardNumbers()
        if let limit = Descriptors.limit, limit < leastDescriptors { end(with: TooFewDescriptors(limit: limit)) }
        // A write beyond the limit of file sizes then fails as one to a full disk does, and whoever writes says so.
        signal(SIGXFSZ, SIG_IGN)
        do {
            try refuseHelpOfUnknownCommand()
            var command = try await asyncParseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            end(with: error)
        }
    }

    /// The library answers a slip in the name of a command with the help of all.
    private static func refuseHelpOfUnknownCommand() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.first == "help", CommandSuggestion.suggestion(for: arguments) != nil else { return }
        throw ValidationError("There is no command '\(arguments.dropFirst().joined(separator: " "))'.")
    }

    private static func end(with error: any Error) -> Never {
        let usual = (error as? WormholeFailure).map { ExitCode($0.status) } ?? exitCode(for: error)
        let status = LabCompareCommand.status(
            of: error, usual: usual, arguments: CommandLine.arguments.dropFirst())
        var message = fullMessage(for: error)
        if exitCode(for: error) == .validationFailure,
            let meant = CommandSuggestion.suggestion(for: Array(CommandLine.arguments.dropFirst()))
        {
            message += "\nDid you mean '\(meant.command)'?"
        }
        let output = status.isSuccess ? FileHandle.standardOutput : FileHandle.standardError
        if !message.isEmpty { try? output.write(contentsOf: Data((PlainLine.lines(message) + "\n").utf8)) }
        Foundation.exit(status.rawValue)
    }
}

/// The user's limit of open files leaves no room for what a command does.
struct TooFewDescriptors: Error, CustomStringConvertible {
    let limit: UInt

    var description: String { "\(limit) open files are too few: raise the limit (ulimit -n 1024)" }
}
