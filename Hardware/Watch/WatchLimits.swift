import WatchLink

/// How much of everything the watch holds. Together these numbers are its memory, see `WatchRuntime.memorySize`.
public enum WatchLimits {
    /// List items held, the first of the phone's list in its order.
    public static var items: Int { 128 }
    /// Rows that the list has room for: one more than the items, because the phone gives the next item as soon as it has a
    /// check-off, while the checked row may still be under the finger.
    public static var rows: Int { items + 1 }
    /// Messages to the phone that have not been acknowledged: one for each item, and as many again by half for items that
    /// arrive while the phone is slow to answer.
    public static var outbox: Int { 192 }
    /// Entries of the complication's time line.
    public static var timeline: Int { 16 }
    /// Taps whose deferred stages have not all run.
    public static var deferredTaps: Int { 32 }
    /// Bytes of the largest datagram taken from or given to the radio.
    public static var largestSDU: Int { 512 }
    /// Bytes of the longest description of the visible rows.
    public static var largestDescription: Int { 512 }
    /// How long a struck row stays under the finger, so that a bounce or a double tap cannot hit the next item.
    public static var struckRowHold: Microseconds { .milliseconds(250) }
    /// How long the digits of a pairing have to be on the panel before an answer counts: a tap that was meant for the screen
    /// before must not agree to anything.
    public static var pairingGuard: Microseconds { .milliseconds(500) }
    /// How long a handler that waits for the phone waits at most.
    public static var phonePatience: Microseconds { .seconds(5) }
}
