import WatchLink

extension WatchCore where B: ~Copyable {
    /// Queues the message that tells the phone of a check-off. It is kept in flash as soon as the chip takes it, and sent
    /// after that.
    mutating func queueCheckOff(_ tap: Tap) {
        data.outbox.append(.checkOff(tap.item, at: tap.checkedAt), tap: tap.number)
        while keepQueuedMessage() {}
    }

    /// Waits until the phone has acknowledged everything that is queued, or for five seconds.
    mutating func waitForAcknowledgement() {
        waitForPhone(.acknowledgement)
    }

    /// Asks the phone for every row of its database and waits until all of them went by, those that the watch keeps and those
    /// beyond them, or for five seconds. What comes later is applied all the same.
    mutating func reloadListAndWait(_ tap: Tap) {
        guard !data.outbox.isFull else { return }
        let token = random.nextWord()
        data.outbox.append(.reload(token: token), tap: TapNumber(0))
        waitForPhone(.reload(token: token))
    }

    private mutating func waitForPhone(_ answer: PhoneAnswer) {
        let deadline = board.now + WatchLimits.phonePatience
        while !has(answer), linkIndicator != .down, board.now < deadline {
            if keepQueuedMessage() || serviceLink() { continue }
            board.idle(until: min(deadline, linkDeadline ?? deadline))
        }
    }

    private func has(_ answer: PhoneAnswer) -> Bool {
        switch answer {
        case .acknowledgement: data.outbox.count == 0
        case .reload(let token): data.reloaded == token
        }
    }
}

/// What a handler waits for that waits for the phone.
private enum PhoneAnswer: BitwiseCopyable {
    /// Everything that was queued is acknowledged.
    case acknowledgement
    /// The list has come again, with this token.
    case reload(token: UInt32)
}
