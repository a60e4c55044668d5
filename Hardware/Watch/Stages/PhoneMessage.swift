/// Queues the message that tells the phone of the check-off: a record in flash first, so that nothing is lost, then the radio
/// when it can.
public struct PhoneMessage: TapStage {
    /// "message to the phone"
    public static var name: StaticString { "message to the phone" }

    /// Queues the message, and keeps it in flash with those before it unless the chip is busy; the run loop does so then.
    ///
    /// A tap is only begun while the outbox has room for its message. A handler that sends more than one for a tap may find it
    /// full all the same: then the wearer feels that it has failed.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        let time = watch.board.calendar(at: tap.touchedAt)
        guard watch.data.outbox.append(.checkOff(tap.item, at: time), tap: tap.number) != nil else {
            watch.board.play(.failure)
            return
        }
        while watch.keepQueuedMessage() {}
    }
}

/// Sends the message to the phone and waits until the phone has acknowledged everything that is queued, or for five seconds.
public struct AwaitedPhoneMessage: TapStage {
    /// "message to the phone"
    public static var name: StaticString { PhoneMessage.name }

    /// Queues the message and waits for the answer.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        PhoneMessage.run(tap, on: &watch)
        watch.serveLink(atMost: WatchLimits.phonePatience) { $0.outbox.isEmpty }
    }
}
