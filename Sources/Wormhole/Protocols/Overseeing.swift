/// Looks after messages that were passed, also by an earlier run of the program.
public protocol Overseeing: Sendable {
    /// The queued messages that wait for their peers, the oldest first.
    ///
    /// - Throws: `.storage`, `.closed`.
    func outstanding() async throws(WormholeError) -> [OutstandingMessage]

    /// How far a queued message has got.
    ///
    /// - Throws: `.noSuchMessage` for a number that none has, and for one that was done before the newest 1,024; `.storage`.
    func fate(of number: MessageNumber) async throws(WormholeError) -> MessageFate

    /// A queued message to follow: its fate now, and each step to the final one.
    ///
    /// - Throws: as `fate(of:)`; `.closed`.
    func copy(of number: MessageNumber) async throws(WormholeError) -> MessageCopy

    /// Takes a queued message back before it is sent. Its fate is `.expired`.
    ///
    /// A message that was sent over an earlier link and not acknowledged can be taken back too; the peer may have applied it.
    ///
    /// - Throws: `.noSuchMessage`; `.notCancelled` with the fate of one that was sent over the present link, or is done;
    ///   `.storage`; `.closed`.
    func cancel(_ number: MessageNumber) async throws(WormholeError)
}
