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
        try await JoinedSide.with(side, .store) { side in
            if let name { return try await read(name, over: side) }
            var names: [MessageName] = []
            try await side.perform(.names) { reply in
                if case .named(let name) = reply { names.append(name) }
            }
            for name in names { try await read(name, over: side) }
        }
    }

    private func read(_ name: MessageName, over side: JoinedSide) async throws {
        try await side.perform(.read(name)) { reply in
            guard case .value(let value) = reply else { return }
            guard let value else { throw WormholeFailure.text("there is no value under '\(PlainLine(name.text))'") }
            let text = try JSONText(payload: value).text
            if output.json {
                try WormholeReport.write(["name": WormholeReport.quoted(name.text), "value": text])
            } else {
                try StandardOutput.print(self.name == nil ? "\(PlainLine(name.text)) \(text)\n" : "\(text)\n")
            }
        }
    }
}
