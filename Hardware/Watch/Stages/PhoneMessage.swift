/// Queues the message of the check-off to the phone and stores it in flash with those before it. While the chip is
/// busy, the run loop stores it later; the radio sends it when it can.
public struct PhoneMessage: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "message to the phone" }

    /// A tap begins only while the outbox has room for its message. A handler with this stage more than once may find
    /// it full; the watch then plays the pattern for a failure.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        let time = watch.board.calendar(at: tap.touchedAt)
        guard watch.data.outbox.append(.checkOff(tap.item, at: time), tap: tap.number) != nil else {
            watch.board.play(.failure)
            return
        }
        while watch.keepQueuedMessage() {}
    }
}

/// Sends the message of the check-off and waits until the phone has acknowledged all queued messages, at most 5 s.
public struct AwaitedPhoneMessage: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { PhoneMessage.name }

    /// Queues the message and waits for its acknowledgement.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        PhoneMessage.run(tap, on: &watch)
        watch.serveLink(atMost: WatchLimits.phonePatience) { $0.outbox.isEmpty }
    }
}
