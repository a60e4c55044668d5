import Wormhole

/// The replies to a command of the control socket. Each command looks at those that are for it, and leaves the others: another version
/// may send more.
struct CommandReplies {
    private let channel: SharedChannel

    init(_ channel: SharedChannel) {
        self.channel = channel
    }

    /// The next reply before the last.
    ///
    /// - Returns: nil where the last one says that the command is done.
    /// - Throws: `.reply` where it says that the command has failed; `.closed` where the program at the other end has left.
    func next() async throws -> SharedReply? {
        let reply = try await channel.receive(SharedReply.self)
        if case .failed(let failure) = reply { throw WormholeFailure.reply(failure) }
        if case .done = reply { return nil }
        return reply
    }

    /// The next reply of a command that goes on until this side leaves.
    ///
    /// - Throws: as `next`, and `.closed` where the other end is done with it.
    func nextOfMany() async throws -> SharedReply {
        guard let reply = try await next() else { throw WormholeError.closed }
        return reply
    }
}
