/// Stores the message of the check-off in flash, after which the radio sends it when it can: the tap is kept.
///
/// Where it cannot be stored, there is no message: the row comes back, and the wearer feels the failure.
public struct PhoneMessage: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { "message to the phone" }

    /// A tap begins only while the outbox has room for its message. A handler with this stage more than once may find
    /// it full; the tap is then refused like one that the flash chip does not keep.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        let time = watch.board.calendar(at: tap.touchedAt)
        if watch.issue(.checkOff(tap.item, at: time), tap: tap.number) {
            watch.taps.decide(tap)
        } else {
            watch.refuse(tap)
        }
    }
}

/// Sends the message of the check-off and waits until the phone has acknowledged all queued messages, at most 5 s.
public struct AwaitedPhoneMessage: TapStage {
    /// The name in traces and reports.
    public static var name: StaticString { PhoneMessage.name }

    /// Stores the message and waits for its acknowledgement.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        PhoneMessage.run(tap, on: &watch)
        watch.serveLink(atMost: WatchLimits.phonePatience) { $0.outbox.isEmpty }
    }
}
