import ArgumentParser

/// The command that somebody may have meant who has typed one that does not exist.
struct CommandSuggestion: Equatable {
    /// All of its words: `tapline phone add`.
    let command: String

    /// The most letters that are wrong, missing, too many or changed with their neighbour.
    private static let mostErrors = 2

    /// A suggestion for arguments of which a command's name is wrong; nil where none is, and where no command has a name like it.
    static func suggestion(for arguments: [String]) -> CommandSuggestion? {
        var type: any ParsableCommand.Type = Tapline.self
        var words = ["tapline"]
        for argument in arguments.prefix(while: { !$0.hasPrefix("-") }) {
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
        let nearest = names.map { (name: $0, errors: errors(in: word, for: $0)) }.min { $0.errors < $1.errors }
        // Of a short word two wrong letters leave nothing.
        guard let nearest, nearest.errors <= min(mostErrors, word.count / 2) else { return nil }
        return nearest.name
    }

    /// How many changes make one word of another: the distance of F. J. Damerau, 1964, restricted to changes that do not overlap.
    static func errors(in word: String, for name: String) -> Int {
        let (word, name) = (Array(word), Array(name))
        var rows = [Array(0...name.count)]
        for i in word.indices {
            var row = [i + 1]
            for j in name.indices {
                var least = min(
                    rows[i][j] + (word[i] == name[j] ? 0 : 1), rows[i][j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, word[i] == name[j - 1], word[i - 1] == name[j] {
                    least = min(least, rows[i - 1][j - 1] + 1)
                }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[word.count][name.count]
    }
}
