import ArgumentParser
import Wormhole

/// `tapline wormhole fate`: says how far a message has got.
struct FateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fate",
        abstract: "Print how far a queued message has got.",
        discussion: """
            queued, sent or delivered: on its way. applied: the other end has it. expired: it was taken back. failed: why. \
            Known of every message that waits, and of the newest 1,024 that are done. With --follow it prints each step until \
            the last.

            EXAMPLES
              tapline wormhole fate 12
              tapline wormhole fate 12 --follow --as watch
            """)

    @Argument(help: ArgumentHelp("Its number.", valueName: "number"))
    var number: UInt64

    @Flag(help: "Print each step until the last.")
    var follow = false

    @OptionGroup var output: OutputOption
    @OptionGroup var side: SideOptions

    func run() async throws {
        let request = SharedRequest.fate(MessageNumber(rawValue: number), following: follow ? .toTheEnd : .now)
        try await JoinedSide.with(side, follow ? .link : .store) { side in
            try await side.perform(request) { reply in
                guard case .fate(let copy, let fate) = reply else { return }
                try WormholeReport.write(copy, fate, of: nil, json: output.json)
            }
        }
    }
}
