import ArgumentParser
import CommandSupport
import Foundation
import Wormhole

/// `tapline wormhole receive`: receives files.
struct ReceiveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receive",
        abstract: "Receive files into a directory.",
        discussion: """
            Prints a line with the path of each file once it is whole and its hash is right; until then nothing is seen of \
            it. A file replaces no other: of a name that is taken there is then photo-2.png. What has arrived of a file when \
            this is interrupted is kept, in hidden files, and the rest comes later. Other hidden files say of the last 256 files \
            that they have arrived, so that none comes twice; all their names begin with .tapline-.

            EXAMPLES
              tapline wormhole receive ~/Pictures
              tapline wormhole receive . --count 1 --json
            """)

    @Argument(help: ArgumentHelp("The directory.", valueName: "directory"), completion: .directory)
    var directory: String

    @Option(help: ArgumentHelp("End after this number of files.", valueName: "count"))
    var count: Int?

    @OptionGroup var output: OutputOption
    @OptionGroup var side: SideOptions

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count is 1 or more.") }
    }

    func run() async throws {
        let (path, json) = (URL(fileURLWithPath: directory).path, output.json)
        try ReceiveCommand.check(path)
        let (left, line) = (Countdown(count), ProgressLine())
        defer { line.end() }
        try await LongCommand.run(side) { side in
            let channel = try await side.begin(.receive(directory: path, atMost: left.count))
            defer { channel.close() }
            while left.isRunning {
                let reply = try await channel.nextOfMany()
                if case .progress(let progress) = reply, !json {
                    let share = progress.done * 100 / max(progress.total, 1)
                    line.show(progress.done, of: progress.total, as: "\(share) % of \(SizeText(progress.total))")
                } else if case .received(let file) = reply {
                    line.end()
                    try ReceiveCommand.show(file, json: json)
                    left.step()
                }
            }
        }
    }

    /// The program that receives may be another one, and knows no more of a directory that is not there.
    private static func check(_ path: String) throws {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw WormholeFailure.text(
                "\(path): there is no such directory: create it (mkdir -p), or name another one")
        }
        guard isDirectory.boolValue else { throw WormholeFailure.text("\(path): Not a directory: name another one") }
    }

    private static func show(_ file: ControlReply.Received, json: Bool) throws {
        guard json else { return try StandardOutput.print("\(file.path)\n") }
        var fields = [
            "label": WormholeReport.quoted(file.label), "path": WormholeReport.quoted(file.path),
            "from": WormholeReport.quoted(file.peer), "bytes": "\(file.length)",
        ]
        fields["about"] = try file.metadata.map { try JSONText(payload: $0).text }
        try WormholeReport.write(fields)
    }
}
