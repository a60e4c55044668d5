import WatchLink

// Messages by their numbers, also those that an earlier run of the program has passed.
extension Wormhole {
    /// The queued messages that wait for their peers, the oldest first.
    ///
    /// - Throws: `.storage`, `.closed`.
    public func outstanding() async throws(WormholeError) -> [OutstandingMessage] {
        guard !isClosed else { throw .closed }
        return try await store.outstanding()
    }

    /// How far a queued message has got.
    ///
    /// - Throws: `.noSuchMessage` for a number that none has, and for one that was done before the newest 1,024; `.storage`.
    public func fate(of number: MessageNumber) async throws(WormholeError) -> MessageFate {
        guard let fate = try await store.fate(of: number) else { throw .noSuchMessage(number) }
        // What the store calls queued may be under way.
        return fate.isFinal ? fate : deliveries.copy(of: number)?.fate ?? fate
    }

    /// Takes a queued message back before it is sent. Its fate is `.expired`.
    ///
    /// A message that was sent over an earlier link and not acknowledged can be taken back too; the peer may have applied it.
    ///
    /// - Throws: `.noSuchMessage`; `.notCancelled` with the fate of one that was sent over the present link, or is done;
    ///   `.storage`; `.closed`.
    public func cancel(_ number: MessageNumber) async throws(WormholeError) {
        guard !isClosed else { throw .closed }
        let fate = try await fate(of: number)
        guard fate == .queued else { throw .notCancelled(number, fate) }
        guard let place = try await store.withdraw(number) else {
            throw .notCancelled(number, try await self.fate(of: number))
        }
        deliveries.withdrawn(place.sequence, to: place.peer)
        await links[place.peer]?.withdrawn()
        await outgoingChanged(for: .only(place.peer))
    }

    /// A queued message to follow: its fate now, and each step to the final one.
    ///
    /// - Throws: as `fate(of:)`; `.closed`.
    public func copy(of number: MessageNumber) async throws(WormholeError) -> MessageCopy {
        guard !isClosed else { throw .closed }
        while true {
            if let copy = deliveries.copy(of: number) { return copy }
            guard let place = try await store.place(of: number) else {
                guard let fate = try await store.fate(of: number) else { throw .noSuchMessage(number) }
                // One that is queued here was given a place meanwhile, or has lost it: look again.
                if fate.isFinal { return MessageCopy(number: number, ended: fate) }
                continue
            }
            let copy = deliveries.enterQueued(place, number)
            // The queue may have been numbered again while the store was asked.
            if try await store.place(of: number) == place { return copy }
            deliveries.forget(place, number)
        }
    }
}
