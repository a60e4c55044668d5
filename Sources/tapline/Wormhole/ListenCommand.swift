import ArgumentParser
import CommandSupport
import Wormhole

struct ListenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listen",
        abstract: "Print the messages under a name, or under all names with the same beginning.",
        discussion: """
            Prints a line for each message until it is interrupted: its name and its value. A queued message of the other end \
            waits for a listener. It is gone once it is printed, even if this command is then interrupted; if this command is \
            killed, the next one may get the last message again. Messages that this end passes are printed too. A message \
            without a value has the value null. If a value was cleared, the word cleared follows the name, which is not JSON.

            EXAMPLES
              tapline wormhole listen score
              tapline wormhole listen 'score*' --json
              tapline wormhole listen '*' --count 1
            """)

    @Argument(help: ArgumentHelp("A name, or the beginning of names followed by *.", valueName: "name"))
    var name: String

    @Option(help: ArgumentHelp("End after this number of messages.", valueName: "count"))
    var count: Int?

    @OptionGroup var output: OutputOption
    @OptionGroup var side: SideOptions

    func validate() throws {
        do { _ = try NamePattern(name) } catch { throw ValidationError(error.description) }
        if let count, count < 1 { throw ValidationError("--count is 1 or more.") }
    }

    func run() async throws {
        let (pattern, output) = (try NamePattern(name), output)
        let left = Countdown(count)
        try await runUntilInterrupted(side) { side in
            let channel = try await side.begin(.listen(pattern))
            defer { channel.close() }
            let messages = HeardMessages(channel)
            // Messages after the last one stay in the inbox for the next listener.
            while left.isRunning {
                guard case .heard(let message, let kept) = try await messages.next() else { continue }
                try WormholeReport.write(message, output)
                if let kept { try await messages.take(kept) }
                left.step()
            }
        }
    }
}

/// The messages that a `listen` command prints. The command removes each message from the inbox before it reads the next.
/// If the command ends between two messages, the next `listen` does not get the printed messages again.
private actor HeardMessages {
    /// The maximum time that the command waits for the inbox to remove a message.
    private static let timeout = DurationChoice(milliseconds: 5_000)

    private let channel: ControlChannel
    /// Replies that arrived while the inbox was removing a message.
    private var early: [ControlReply] = []

    init(_ channel: ControlChannel) {
        self.channel = channel
    }

    /// Throws the errors of `ControlChannel.nextOfMany`.
    func next() async throws -> ControlReply {
        if !early.isEmpty { return early.removeFirst() }
        return try await channel.nextOfMany()
    }

    /// Removes a printed message from the inbox, even if the command is interrupted meanwhile. `number` is the message's
    /// number in the inbox.
    func take(_ number: UInt64) async throws {
        try await Task {
            try await channel.send(.taken(number))
            try await limited(to: HeardMessages.timeout) {
                while try await self.isNext(.taken(number)) == false {}
            }
        }.value
    }

    /// Receives a reply, and returns whether it is `wanted`. Stores any other reply in `early`, from which `next` takes it.
    private func isNext(_ wanted: ControlReply) async throws -> Bool {
        let reply = try await channel.nextOfMany()
        if reply == wanted { return true }
        early.append(reply)
        return false
    }
}
