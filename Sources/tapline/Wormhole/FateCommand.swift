import ArgumentParser
import CommandSupport
import Wormhole

/// `tapline wormhole fate`: says how far a message or a file has got.
struct FateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fate",
        abstract: "Print how far a queued message or a file has got.",
        discussion: """
            queued, sent or delivered: on its way. applied: the other end has it. expired: it was taken back. failed: why. \
            Known of every message that waits, and of the newest 1,024 that are done. A number of sixteen digits is that of a \
            file, of which it is known while that is on its way. With --follow it prints each step until the last.

            EXAMPLES
              tapline wormhole fate 12
              tapline wormhole fate 12 --follow --as watch
              tapline wormhole fate 5240037cc2ffdb67 --json
            """)

    @Argument(help: ArgumentHelp("Its number, as `tapline wormhole outstanding` prints it.", valueName: "number"))
    var number: String

    @Flag(help: "Print each step until the last.")
    var follow = false

    @OptionGroup var output: OutputOption
    @OptionGroup var side: SideOptions

    func validate() throws { _ = try request }

    private var request: SharedRequest {
        get throws {
            let following = follow ? SharedRequest.Following.toTheEnd : .now
            return switch try NumberChoice(number) {
            case .file(let file): .fateOfFile(file, following: following)
            case .message(let message): .fate(message, following: following)
            }
        }
    }

    func run() async throws {
        let request = try request
        try await JoinedSide.with(side, follow ? .link : .store) { side in
            var file: SharedReply.File?
            try await side.perform(request) { reply in
                if case .file(let sent) = reply { file = sent }
                guard case .fate(let copy, let fate) = reply else { return }
                try show(copy, fate, of: file)
            }
        }
    }

    private func show(_ copy: SharedReply.Copy, _ fate: FateReport, of file: SharedReply.File?) throws {
        switch (file, output.json) {
        case (let file?, true): try WormholeReport.write(file, fate)
        // The text is the fate alone, as that of a message.
        case (_?, false): try WormholeReport.write(fate)
        case (nil, let json): try WormholeReport.write(copy, fate, of: nil, json: json)
        }
    }
}
