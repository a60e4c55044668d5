import ArgumentParser
import Foundation
import Wormhole

/// `tapline wormhole send`: sends a file.
struct SendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send a file of up to 16 MiB.",
        discussion: """
            The other end has to receive (`tapline wormhole receive`, or a program of its own). The file goes on over any \
            number of links, from what the other end has, until its hash is right there. An interrupted command leaves it \
            on its way: the next command of this end goes on, `tapline wormhole outstanding` shows its number, and \
            `tapline wormhole send --resume NUMBER` shows its progress again.

            EXAMPLES
              tapline wormhole send photo.png --as watch
              tapline wormhole send photo.png --label face.png --about '{"for": "face"}'
            """)

    @Argument(help: ArgumentHelp("The file.", valueName: "file"), completion: .file())
    var file: String?

    @Option(help: ArgumentHelp("What the other end calls it; by default the file's name.", valueName: "name"))
    var label: String?

    @Option(help: ArgumentHelp("What is said about it: a JSON value.", valueName: "json"))
    var about: String?

    @Option(help: ArgumentHelp("The peer, where there are several: its name or identity.", valueName: "peer"))
    var to: String?

    @Option(help: ArgumentHelp("Go on with a file that is on its way, by its number.", valueName: "number"))
    var resume: FileNumber?

    @Option(help: ArgumentHelp("How long to wait for the peer to come.", valueName: "time"))
    var within = DurationChoice(milliseconds: 10_000)

    @OptionGroup var output: OutputOption
    @OptionGroup var side: SideOptions

    func validate() throws {
        guard (file == nil) != (resume == nil) else { throw ValidationError("Name a file, or one to --resume.") }
        guard let file else { return }
        do {
            _ = try FileLabel(label ?? URL(fileURLWithPath: file).lastPathComponent)
            if let about { _ = try JSONText(text: about) }
        } catch {
            throw ValidationError("\(error)")
        }
    }

    private var request: SharedRequest {
        get throws {
            if let resume { return .followFile(resume.value) }
            let url = URL(fileURLWithPath: file ?? "")
            return .send(
                SharedRequest.Sending(
                    path: url.path, label: label ?? url.lastPathComponent, recipient: to,
                    metadata: try about.map { try JSONText(text: $0).payload }, patience: within.milliseconds))
        }
    }

    func run() async throws {
        let request = try request
        let view = FileView(output.json ? .json : .text)
        defer { view.end() }
        try await LongCommand.run(side) { side in
            // Where another program had the end and has left, the file is on its way already.
            let begun = view.number.map(SharedRequest.followFile) ?? request
            try await side.perform(begun) { try view.take($0) }
        }
        switch view.fate {
        case .applied: return
        case .failed, .expired: throw ExitCode.failure
        case .queued, .sent, .delivered, nil:
            let number = view.number.map { "; go on with --resume \(FileNumber(value: $0))" } ?? ""
            throw WormholeFailure.late("not sent yet\(number)")
        }
    }
}
