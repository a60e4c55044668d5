import ArgumentParser
import CommandSupport
import HostSystem
import Wormhole

/// `tapline wormhole peers`: says who is at the other end.
struct PeersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "peers",
        abstract: "Print who is at the other end, and how that is known.",
        discussion: """
            A line has a peer's identity, whether it can be reached, and its name or the reason.

            EXAMPLES
              tapline wormhole peers
            """)

    @OptionGroup var output: OutputOption
    @OptionGroup var side: SideOptions

    func run() async throws {
        try await JoinedSide.with(side, .link) { side in
            try await side.perform(.peers) { reply in
                guard case .peer(let peer) = reply else { return }
                let detail = peer.name.isEmpty ? peer.evidence : peer.name
                guard output.json else {
                    return try StandardOutput.print("\(peer.identity)  \(peer.state.rawValue)  \(PlainLine(detail))\n")
                }
                try WormholeReport.write([
                    "identity": WormholeReport.quoted(peer.identity), "name": WormholeReport.quoted(peer.name),
                    "state": WormholeReport.quoted(peer.state.rawValue),
                    "evidence": WormholeReport.quoted(peer.evidence),
                ])
            }
        }
    }
}
