import WatchLink

extension WatchCore where B: ~Copyable {
    /// A phone wants to pair, or no longer does.
    @inline(never)
    mutating func follow(_ prompt: PairingPrompt) {
        switch (prompt, screen) {
        case (.compare(let digits), _):
            guard digits < 1_000_000 else { return }
            show(.sheet(.pairing(digits: digits, since: board.now), returningTo: Screen.Underlying(screen)))
            board.play(.click)
        case (.over, .sheet(.pairing, let under)):
            show(under.screen)
        case (.over, .face), (.over, .list), (.over, .sheet):
            break
        }
    }

    /// The wearer has said whether the digits are the same.
    mutating func answer(
        _ answer: PairingAnswer, shownSince: Instant, at instant: Instant, returningTo under: Screen.Underlying
    ) {
        guard instant >= shownSince + WatchLimits.pairingGuard else { return }
        board.answerPairing(answer)
        show(under.screen)
    }
}
