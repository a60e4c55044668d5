import ArgumentParser
import CommandSupport
import Wormhole

/// `tapline wormhole budget`: says how many complication messages are left.
struct BudgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "budget",
        abstract: "Print how many complication messages may still go to each peer today.",
        discussion: """
            What is beyond them is delivered by queued.

            EXAMPLES
              tapline wormhole budget
            """)

    @OptionGroup var output: OutputOption
    @OptionGroup var side: SideOptions

    func run() async throws {
        try await JoinedSide.with(side, .store) { side in
            try await side.perform(.budget) { reply in
                guard case .budget(let peer, let left) = reply else { return }
                guard output.json else { return try StandardOutput.print("\(peer)  \(left)\n") }
                try WormholeReport.write(["peer": WormholeReport.quoted(peer), "left": "\(left)"])
            }
        }
    }
}
