import ArgumentParser
import CommandSupport
import HostSystem
import Wormhole

struct OutstandingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outstanding",
        abstract: "List the messages and files that have not arrived yet.",
        discussion: """
            A line has a number, the name of a message or the label of a file, its size, and its peer. Give the number, which \
            has sixteen digits for a file, to `tapline wormhole fate`, `tapline wormhole cancel` or `tapline wormhole send \
            --resume`.

            EXAMPLES
              tapline wormhole outstanding
              tapline wormhole outstanding --as watch --json
            """)

    @OptionGroup var output: OutputOption
    @OptionGroup var side: SideOptions

    func run() async throws {
        try await EndpointClient.perform(.outstanding, at: side) { reply in
            if case .file(let file) = reply { return try show(file) }
            guard case .outstanding(let message) = reply else { return }
            let (name, size) = (message.name.text, CountText(message.bytes, "byte"))
            try output.printLine(
                "\(message.number)  \(SanitizedLine(name))  \(size)  \(message.peer)",
                json: [
                    "number": message.number, "name": name, "peer": "\(message.peer)", "bytes": message.bytes,
                    "delivery": "\(message.delivery)",
                ])
        }
    }

    private func show(_ file: TransferRecord) throws {
        let number = FileNumber(value: file.transfer)
        try output.printLine(
            "\(number)  \(file.label)  \(SizeText(file.length))  \(file.peer)",
            json: [
                "number": "\(number)", "label": file.label.text, "peer": "\(file.peer)", "bytes": file.length,
                "delivery": "file",
            ])
    }
}

struct FateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fate",
        abstract: "Print how far a queued message or a file has got.",
        discussion: """
            queued, sent or delivered: on its way. applied: the other end has it. expired: it was cancelled. failed: with the \
            reason. The fate is known for every waiting message, the newest 1,024 finished ones, files on their way, and the \
            newest 256 files that have ended. A number of sixteen digits is that of a file. With --follow it prints each step \
            until the last.

            EXAMPLES
              tapline wormhole fate 12
              tapline wormhole fate 12 --follow --as watch
              tapline wormhole fate 5240037cc2ffdb67 --json
            """)

    @OptionGroup var outstanding: OutstandingArgument

    @Flag(help: "Print each step until the last.")
    var follow = false

    @OptionGroup var output: OutputOption
    @OptionGroup var side: SideOptions

    func run() async throws {
        let request = ControlCommand.fate(try outstanding.parsed, isFollowed: follow)
        var (file, last): (TransferRecord?, MessageFate?)
        try await EndpointClient.perform(request, at: side, follow ? .link : .store) { reply in
            if case .file(let sent) = reply { file = sent }
            guard case .fate(let copy, let fate) = reply, fate.isLater(than: last) else { return }
            last = fate
            try show(copy, fate, of: file)
        }
    }

    private func show(_ copy: ControlReply.Copy, _ fate: MessageFate, of file: TransferRecord?) throws {
        switch (file, output.json) {
        case (let file?, true): try WormholeReport.write(file, fate)
        // Without JSON, prints only the fate of a file, as for a message.
        case (_?, false): try WormholeReport.write(fate)
        case (nil, _): try WormholeReport.write(copy, fate, of: nil, output)
        }
    }
}

struct CancelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Cancel a queued message before it is sent, or a file on its way.",
        discussion: """
            A number of sixteen digits is that of a file. If the other end is in reach, it then keeps nothing of the file; if it \
            is away, the received part stays there, hidden, until it has 32 newer ones. A message that was sent and not \
            acknowledged can be cancelled once the program that sent it has ended, but the other end may have it already.

            EXAMPLES
              tapline wormhole cancel 12
              tapline wormhole cancel 5240037cc2ffdb67 --as watch
            """)

    @OptionGroup var outstanding: OutstandingArgument
    @OptionGroup var side: SideOptions

    func run() async throws {
        try await EndpointClient.perform(.cancel(try outstanding.parsed), at: side)
    }
}

struct OutstandingArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("Its number, as `tapline wormhole outstanding` prints it.", valueName: "number"))
    var number: String

    func validate() throws { _ = try parsed }

    var parsed: ControlCommand.OutstandingNumber {
        get throws {
            if let file = FileNumber(argument: number) { return .file(file.value) }
            if let message = UInt64(number) { return .message(MessageNumber(rawValue: message)) }
            throw ValidationError("'\(number)' is not the number of a message or a file.")
        }
    }
}

/// The number of a file that is being sent, written as sixteen hexadecimal digits.
struct FileNumber: ExpressibleByArgument, CustomStringConvertible {
    let value: UInt64

    init?(argument: String) {
        guard argument.utf8.count == 16, let value = UInt64(argument, radix: 16) else { return nil }
        self.value = value
    }

    init(value: UInt64) {
        self.value = value
    }

    var description: String { "\(HexadecimalText(value))" }
}
