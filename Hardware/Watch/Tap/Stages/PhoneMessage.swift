/// Queues the message to the phone: a record in flash first, so that nothing is lost, then the radio when it can.
public struct PhoneMessage: TapStage {
    /// "message to the phone"
    public static var name: StaticString { "message to the phone" }

    /// Queues the message.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        watch.queueCheckOff(tap)
    }
}

/// Sends the message to the phone and waits until the phone has answered, or for five seconds.
public struct AwaitedPhoneMessage: TapStage {
    /// "message to the phone"
    public static var name: StaticString { PhoneMessage.name }

    /// Queues the message and waits for the answer.
    public static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
        watch.queueCheckOff(tap)
        watch.waitForAcknowledgement()
    }
}
