import Wormhole

/// What a shell hears, in order. A message of the inbox is out of it before the next one is looked at, so that a shell that ends
/// between two of them is not given one again.
actor HeardMessages {
    /// How long the inbox may take to let a message go: then its program is stopped, or gone.
    private static let patience = DurationChoice(milliseconds: 5_000)

    private let channel: SharedChannel
    private let replies: CommandReplies
    /// What came while a message was being taken.
    private var early: [SharedReply] = []

    init(_ channel: SharedChannel) {
        self.channel = channel
        replies = CommandReplies(channel)
    }

    /// - Throws: as `CommandReplies.nextOfMany`.
    func next() async throws -> SharedReply {
        if !early.isEmpty { return early.removeFirst() }
        return try await replies.nextOfMany()
    }

    /// Takes a message that was printed out of the inbox. It is done to its end, also for a command that is interrupted meanwhile.
    ///
    /// - Throws: as `next`.
    func take(_ number: UInt64) async throws {
        let taking = Task { try await self.takeUninterrupted(number) }
        try await taking.value
    }

    private func takeUninterrupted(_ number: UInt64) async throws {
        try await channel.send(SharedRequest.taken(number))
        try await Limited.run(HeardMessages.patience) {
            while try await self.isNext(.taken(number)) == false {}
        }
    }

    /// Whether the next reply is this one; another is kept for later.
    private func isNext(_ wanted: SharedReply) async throws -> Bool {
        let reply = try await replies.nextOfMany()
        if reply == wanted { return true }
        early.append(reply)
        return false
    }
}
