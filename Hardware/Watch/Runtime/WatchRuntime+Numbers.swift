import WatchLink

extension WatchRuntime where B: ~Copyable {
    /// Makes this the watch that it would be after years of use: the streams of messages go on after high numbers, which
    /// the flash keeps. The phone's database has to have the same numbers.
    ///
    /// - Parameters:
    ///   - issued: the watch's newest message, which the phone has acknowledged.
    ///   - applied: the phone's newest queued message, which the watch has applied.
    /// - Returns: whether it is done: nothing may wait, and the flash has to keep it.
    package mutating func renumber(issued: UInt32, applied: UInt32) -> Bool {
        guard core.data.outbox.isEmpty, core.taps.deferred.isEmpty, core.link.indicator == .down else { return false }
        core.data.renumber(issued: issued, applied: applied)
        return core.store.keep(.positions, room: .made, of: &core.data, on: &core.board)
    }
}
