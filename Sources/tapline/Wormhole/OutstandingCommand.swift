import ArgumentParser
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
                    return try PhoneReport.write("\(message.number)  \(message.name)  \(size)  \(message.peer)\n")
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
            return try PhoneReport.write("\(number)  \(file.label)  \(SizeText(file.length))  \(file.peer)\n")
        }
        try WormholeReport.write([
            "number": WormholeReport.quoted("\(number)"), "label": WormholeReport.quoted(file.label),
            "peer": WormholeReport.quoted(file.peer), "bytes": "\(file.length)", "delivery": "\"file\"",
        ])
    }
}

/// `tapline wormhole cancel`: takes a message back.
struct CancelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Take a queued message back before it is sent, or end the way of a file.",
        discussion: """
            A number of sixteen digits is that of a file, of which the other end then keeps nothing. \
            A message that was sent and not acknowledged before its link broke can be taken back too; the other end may have \
            it already.

            EXAMPLES
              tapline wormhole cancel 12
              tapline wormhole cancel 5240037cc2ffdb67 --as watch
            """)

    @Argument(help: ArgumentHelp("Its number, as `tapline wormhole outstanding` prints it.", valueName: "number"))
    var number: String

    @OptionGroup var side: SideOptions

    func validate() throws { _ = try request }

    private var request: SharedRequest {
        get throws {
            if let file = FileNumber(argument: number) { return .cancelFile(file.value) }
            guard let message = UInt64(number) else { throw ValidationError("'\(number)' is no number of a message.") }
            return .cancel(MessageNumber(rawValue: message))
        }
    }

    func run() async throws {
        try await JoinedSide.with(side, .store) { try await $0.perform(request) }
    }
}

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
                    return try PhoneReport.write("\(peer.identity)  \(peer.state.rawValue)  \(detail)\n")
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
                guard output.json else { return try PhoneReport.write("\(peer)  \(left)\n") }
                try WormholeReport.write(["peer": WormholeReport.quoted(peer), "left": "\(left)"])
            }
        }
    }
}
