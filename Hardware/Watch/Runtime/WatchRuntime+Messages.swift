import WatchLink

extension WatchRuntime where B: ~Copyable {
    /// Gives the handler the next message under a name of its own. Returns whether there was one.
    @inline(never)
    mutating func giveMessage() -> Bool {
        guard let pending = core.nextMessage() else { return false }
        let work = pending.message.work
        core.board.began(work)
        handler.take(pending.message, on: &core)
        core.board.ended(work)
        core.finish(pending)
        return true
    }
}
