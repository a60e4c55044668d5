import ArgumentParser
import CommandSupport
import HostSystem
import Wormhole

/// `tapline wormhole outstanding`: lists what waits.
struct OutstandingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outstanding",
        abstract: "List the messages and files that have not arrived yet.",
        discussion: """
            A line has a number, the name of a message or the label of a file, its size, and the peer that it is for. The \
            number, of sixteen digits for a file, is one for `tapline wormhole fate`, `tapline wormhole cancel` and \
            `tapline wormhole send --resume`.

            EXAMPLES
              tapline wormhole outstanding
              tapline wormhole outstanding --as watch --json
            """)

    @OptionGroup var output: OutputOption
    @OptionGroup var side: SideOptions

    func run() async throws {
        try await JoinedSide.with(side, .store) { side in
            try await side.perform(.outstanding) { reply in
                if case .file(let file) = reply { return try show(file) }
                guard case .outstanding(let message) = reply else { return }
                guard output.json else {
                    let size = CountText(message.bytes, "byte")
                    return try StandardOutput.print(
                        "\(message.number)  \(PlainLine(message.name.text))  \(size)  \(message.peer)\n")
                }
                try WormholeReport.write([
                    "number": "\(message.number)", "name": WormholeReport.quoted(message.name.text),
                    "peer": WormholeReport.quoted(message.peer), "bytes": "\(message.bytes)",
                    "delivery": WormholeReport.quoted("\(message.delivery)"),
                ])
            }
        }
    }

    private func show(_ file: SharedReply.File) throws {
        let number = FileNumber(value: file.number ?? 0)
        guard output.json else {
            return try StandardOutput.print("\(number)  \(file.label)  \(SizeText(file.length))  \(file.peer)\n")
        }
        try WormholeReport.write([
            "number": WormholeReport.quoted("\(number)"), "label": WormholeReport.quoted(file.label),
            "peer": WormholeReport.quoted(file.peer), "bytes": "\(file.length)", "delivery": "\"file\"",
        ])
    }
}
