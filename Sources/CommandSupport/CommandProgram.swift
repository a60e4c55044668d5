import ArgumentParser
import Foundation
import HostSystem

package enum CommandProgram {
    package static let version = "0.9.0"

    /// A command refuses to run if its limit of open files (`RLIMIT_NOFILE`) is lower than this. Swift's runtime could then end
    /// the program at any point: see `Descriptors.haveRoomForPeer`.
    private static let leastDescriptors: UInt = 16

    /// Prepares the process. Ends it with an error if its limit of open files is too low, or if an argument or a path in the
    /// environment is not UTF-8. The caller must call this before its first `await`, which opens files.
    package static func begin(_ root: any ParsableCommand.Type) {
        Descriptors.reserveStandardNumbers()
        let limit = Descriptors.limit ?? .max
        if let error = limit < leastDescriptors ? .tooFewDescriptors(limit) : unreadable {
            end(root, with: error, root.exitCode(for: error))
        }
        // With the signal ignored, a write beyond the limit of file sizes fails with an error, as on a full disk.
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Runs the command that the arguments name. If it fails, prints the error and ends the process. Control characters in the
    /// error are replaced first, because errors quote text from other devices.
    ///
    /// - Parameters:
    ///   - reading: changes the arguments before they are parsed.
    ///   - status: returns the exit status for an error. `usual` is the status that ArgumentParser would use.
    package static func run<Root: AsyncParsableCommand>(
        _ root: Root.Type, reading: ([String]) -> [String] = { $0 },
        status: @escaping @Sendable (any Error, _ usual: ExitCode) -> ExitCode
    ) async {
        do {
            try refuseHelpOfUnknownCommand(root)
            var command = try await root.asyncParseAsRoot(reading(arguments))
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            end(root, with: error, status(error, root.exitCode(for: error)))
        }
    }

    /// The error if an argument, or a path in the environment, is not UTF-8; otherwise nil. Swift would replace the wrong
    /// bytes, and the text would name another file.
    private static var unreadable: CommandFailure? {
        let arguments = (1..<max(1, Int(CommandLine.argc))).map { ("argument \($0)", CommandLine.unsafeArgv[$0]) }
        let places = ["HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"].map { (name: String) in (name, getenv(name)) }
        for case (let name, let bytes?) in arguments + places where String(validatingCString: bytes) == nil {
            return CommandFailure(
                "\(name) is not UTF-8 (\(String(cString: bytes))): give it in UTF-8, and rename a file whose name is not"
            )
        }
        return nil
    }

    private static var arguments: [String] { Array(CommandLine.arguments.dropFirst()) }

    /// Throws if a command after `help` is misspelt. ArgumentParser would ignore that word, and print a help for which the user
    /// did not ask.
    private static func refuseHelpOfUnknownCommand(_ root: any ParsableCommand.Type) throws {
        guard arguments.first == "help", suggestedCommand(for: arguments, of: root) != nil else { return }
        throw ValidationError("There is no command '\(arguments.dropFirst().joined(separator: " "))'.")
    }

    private static func end(_ root: any ParsableCommand.Type, with error: any Error, _ status: ExitCode) -> Never {
        var message = root.fullMessage(for: error)
        if root.exitCode(for: error) == .validationFailure,
            let command = suggestedCommand(for: arguments, of: root)
        {
            message += "\nDid you mean '\(command)'?"
        }
        let output = status.isSuccess ? FileHandle.standardOutput : FileHandle.standardError
        if !message.isEmpty { try? output.write(contentsOf: Data((SanitizedLine.lines(message) + "\n").utf8)) }
        Foundation.exit(status.rawValue)
    }
}

/// The error of a command: one line that says what is wrong and what to do.
package struct CommandFailure: Error, Equatable, CustomStringConvertible {
    package let description: String
    package let status: ExitCode

    package init(_ description: String, status: ExitCode = .failure) {
        (self.description, self.status) = (description, status)
    }

    package static func tooFewDescriptors(_ limit: UInt) -> CommandFailure {
        CommandFailure("\(limit) open files are too few: raise the limit (ulimit -n 1024)")
    }
}

extension String {
    /// Makes this path absolute. Throws if the path is relative and the path of the working directory is not UTF-8, because
    /// Foundation would then put the path into another directory.
    package func resolvedPath() throws(CommandFailure) -> String {
        let directory = getcwd(nil, 0)
        defer { free(directory) }
        guard hasPrefix("/") || directory.map({ String(validatingCString: $0) != nil }) ?? true else {
            throw CommandFailure("the path of the working directory is not UTF-8: change to one whose path is")
        }
        return URL(filePath: self).path
    }
}

extension CommandProgram {
    /// Finds the command that a user may have meant, with all its words, like `tapline phone add`. Nil if no command name in
    /// `arguments` is misspelt, or if no command has a similar name.
    package static func suggestedCommand(
        for arguments: [String], of root: any ParsableCommand.Type
    ) -> String? {
        var type = root
        // In `tapline help watch`, the command follows `help`.
        let help = arguments.prefix(1).filter { $0 == "help" }
        var words = ["tapline"] + help
        let asked = arguments.dropFirst(help.count)
        for argument in asked.prefix(while: { !$0.hasPrefix("-") }) {
            let subcommands = type.configuration.subcommands
            if let next = subcommands.first(where: { $0.configuration.commandName == argument }) {
                type = next
                words.append(argument)
            } else {
                let nearest = nearest(to: argument, of: subcommands.compactMap { $0.configuration.commandName })
                return nearest.map { (words + [$0]).joined(separator: " ") }
            }
        }
        return nil
    }

    private static func nearest(to word: String, of names: [String]) -> String? {
        let nearest = names.map { (name: $0, errors: EditDistance.between(word, $0)) }.min { $0.errors < $1.errors }
        // At most two letters may be wrong, and at most half of a short word.
        guard let nearest, nearest.errors <= min(2, word.count / 2) else { return nil }
        return nearest.name
    }
}
