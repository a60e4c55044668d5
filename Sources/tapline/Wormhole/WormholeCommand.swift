import ArgumentParser

struct WormholeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wormhole",
        abstract: "Pass messages between the phone's end and a watch's.",
        discussion: """
            A message has a name of 1 to 32 bytes and a JSON value. Two ends meet in a directory of sockets: the phone's end, \
            and a watch's end, which is a simulated watch, another program, or a shell. A shell speaks for the phone's end, \
            unless you give --as watch. The first shell opens the end, with its --name and --database. Other shells share it, \
            and take it over when the first one leaves: their commands continue until their own time is over. Latest and queued \
            messages are stored until they have arrived.

            With --link bluetooth the two ends meet over Bluetooth: as a watch, this machine lets phones find it, pair with it \
            (`tapline pair` on the phone's machine) and connect; as a phone, it connects to the paired watches. The shell that \
            opened the end determines the link.

            The exit status is 0 for success; 69 if the other end is out of reach; 75 if there was no answer, the message has \
            not arrived yet, or the program that has this end is stopped; 64 for wrong usage; else 1.

            EXAMPLES
              tapline wormhole listen 'score*'
              tapline wormhole pass score '{"home": 2}' --as watch
              tapline wormhole answer lap -- ./next-lap
              tapline wormhole ask lap '{"lap": 3}' --as watch
              tapline wormhole receive ~/Pictures
              tapline wormhole send photo.png --as watch
              tapline wormhole listen '*' --as watch --link bluetooth:hci1 --pairing
            """,
        subcommands: [
            PassCommand.self, ReadCommand.self, ListenCommand.self, ClearCommand.self, AskCommand.self,
            AnswerCommand.self, SendCommand.self, ReceiveCommand.self, OutstandingCommand.self, CancelCommand.self,
            FateCommand.self, PeersCommand.self, BudgetCommand.self,
        ])

    /// Puts a space in front of each value that is a negative number. Otherwise the parser would take the number for an
    /// option. JSON allows a space before a value.
    static func wordsWithNegativeNumbers(_ words: [String]) -> [String] {
        guard words.first == "wormhole", words.count > 3, ["pass", "ask", "send"].contains(words[1]) else {
            return words
        }
        let values = zip(words.dropFirst(2), words.dropFirst(3)).map { previous, word in
            let mayHaveValue = !previous.hasPrefix("--") || ["--about", "--json", "--pairing"].contains(previous)
            return mayHaveValue && word.wholeMatch(of: /-[0-9].*/) != nil ? " " + word : word
        }
        return Array(words.prefix(3)) + values
    }
}
