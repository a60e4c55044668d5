import ArgumentParser
import CommandSupport
import HostSystem
import Wormhole

struct PeersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "peers",
        abstract: "Print the peers at the other end, and whether they are in reach.",
        discussion: """
            A line has a peer's identity, whether it can be reached, and its name or the reason.

            EXAMPLES
              tapline wormhole peers
            """)

    @OptionGroup var output: OutputOption
    @OptionGroup var side: SideOptions

    func run() async throws {
        try await EndpointClient.perform(.peers, at: side, .link) { reply in
            guard case .peer(let peer) = reply else { return }
            let detail = peer.name.isEmpty ? peer.evidence : peer.name
            let state = peer.isReachable ? "reachable" : "unreachable"
            try output.printLine(
                "\(peer.identity)  \(state)  \(SanitizedLine(detail))",
                json: ["identity": "\(peer.identity)", "name": peer.name, "state": state, "evidence": peer.evidence])
        }
    }
}

struct BudgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "budget",
        abstract: "Print how many complication messages may still go to each peer today.",
        discussion: """
            Further ones are delivered as queued messages.

            EXAMPLES
              tapline wormhole budget
            """)

    @OptionGroup var output: OutputOption
    @OptionGroup var side: SideOptions

    func run() async throws {
        try await EndpointClient.perform(.budget, at: side) { reply in
            guard case .budget(let peer, let left) = reply else { return }
            try output.printLine("\(peer)  \(left)", json: ["peer": "\(peer)", "left": left])
        }
    }
}
