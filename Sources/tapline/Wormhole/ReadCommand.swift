import ArgumentParser
import CommandSupport
import HostSystem
import Wormhole

/// `tapline wormhole read`: prints the newest value of a name.
struct ReadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read",
        abstract: "Print the newest value under a name, or the names that have one.",
        discussion: """
            It is the value that was passed last by latest, at this end or by any peer. What a restarted peer sends again \
            unchanged was passed before. Where there is none, the status is 1.

            EXAMPLES
              tapline wormhole read score
              tapline wormhole read
            """)

    @Argument(
        help: ArgumentHelp("The name; without one, all that have a value.", valueName: "name"),
        completion: .custom(ValueNames.complete))
    var name: MessageName?

    @OptionGroup var output: OutputOption
    @OptionGroup var side: SideOptions

    func run() async throws {
        var count = 0
        try await EndpointClient.with(side, .store) { side in
            try await side.perform(.read(name)) { reply in
                guard case .value(let name, let value) = reply else { return }
                count += 1
                try show(name, try JSONText(payload: value).text)
            }
        }
        if let name, count == 0 { throw WormholeFailure.text("there is no value under '\(PlainLine(name.text))'") }
    }

    private func show(_ name: MessageName, _ value: String) throws {
        if output.json {
            try WormholeReport.write(["name": WormholeReport.quoted(name.text), "value": value])
        } else {
            try StandardOutput.print(self.name == nil ? "\(PlainLine(name.text)) \(value)\n" : "\(value)\n")
        }
    }
}

/// `tapline wormhole clear`: clears the value of a name on both ends.
struct ClearCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Clear the value of a name, or of all, on both ends.",
        discussion: """
            Queued messages stay queued.

            EXAMPLES
              tapline wormhole clear score
              tapline wormhole clear
            """)

    @Argument(
        help: ArgumentHelp("The name; without one, all.", valueName: "name"),
        completion: .custom(ValueNames.complete))
    var name: MessageName?

    @OptionGroup var side: SideOptions

    func run() async throws {
        try await EndpointClient.with(side, .store) { try await $0.perform(.clear(name)) }
    }
}

/// Completes the names that have a value.
enum ValueNames {
    /// - Parameter words: the words of the command line, from which the side is read.
    @Sendable
    static func complete(_ words: [String], _ index: Int, _ prefix: String) async -> [String] {
        var arguments: [String] = []
        for (option, value) in zip(words, words.dropFirst()) where ["--as", "--sockets", "--database"].contains(option)
        {
            arguments += [option, value]
        }
        guard let options = try? SideOptions.parse(arguments) else { return [] }
        return Completions.inert((try? await names(of: options)) ?? [])
    }

    private static func names(of options: SideOptions) async throws -> [String] {
        var names: [String] = []
        try await EndpointClient.with(options, .store) { side in
            try await side.perform(.read(nil)) { reply in
                if case .value(let name, _) = reply { names.append(name.text) }
            }
        }
        return names
    }
}
