import ArgumentParser
import HostSystem

/// The command that somebody may have meant who has typed one that does not exist.
package struct CommandSuggestion: Equatable {
    /// All of its words: `tapline phone add`.
    package let command: String

    /// The most letters that are wrong, missing, too many or changed with their neighbour.
    private static let mostErrors = 2

    /// A suggestion for arguments of which a command's name is wrong; nil where none is, and where no command has a name like it.
    package static func suggestion(
        for arguments: [String], of root: any ParsableCommand.Type
    ) -> CommandSuggestion? {
        var type = root
        // `tapline help watch` asks for the help of a command by its words.
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
                return nearest.map { CommandSuggestion(command: (words + [$0]).joined(separator: " ")) }
            }
        }
        return nil
    }

    /// The name that is most like a word, nil where none is like it.
    private static func nearest(to word: String, of names: [String]) -> String? {
        let nearest = names.map { (name: $0, errors: EditDistance.between(word, $0)) }.min { $0.errors < $1.errors }
        // Of a short word two wrong letters leave nothing.
        guard let nearest, nearest.errors <= min(mostErrors, word.count / 2) else { return nil }
        return nearest.name
    }
}
