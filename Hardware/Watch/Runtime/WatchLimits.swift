import WatchLink

/// The capacities and times of the watch. The capacities determine `WatchRuntime.memorySize`.
public enum WatchLimits {
    /// The maximum number of items that the watch stores. They are the first open items of the phone's list.
    public static var items: Int { 128 }
    /// The maximum number of rows. This is one more than `items`: after a check-off, the phone may send the next item
    /// while the struck-through row is still in place.
    static var rows: Int { items + 1 }
    /// The maximum number of queued messages to the phone: a check-off for each of the 128 items, and 64 more for items
    /// that arrive while the phone acknowledges slowly.
    static var outbox: Int { 192 }
    static var timeline: Int { 16 }
    static var deferredTaps: Int { 32 }
    /// The maximum size of a datagram in bytes, in each direction.
    public static var largestSDU: Int { 512 }
    static var largestDescription: Int { 592 }
    /// How long the watch keeps a new value from the phone in RAM before it writes the value to flash. Records of 120 bytes at
    /// this interval fill a bank of 32 KB in 4.5 hours.
    static var valueAge: Microseconds { .seconds(60) }
    /// A struck-through row stays in place for this time after the finger is lifted, so that a bounce or a double tap cannot
    /// hit the next item.
    public static var struckRowHold: Microseconds { .milliseconds(250) }
    /// How long the digits of a pairing must be on the panel before the watch accepts the wearer's answer. An earlier
    /// press may have been meant for the previous screen.
    static var pairingGuard: Microseconds { .milliseconds(500) }
    /// How long a notice about lost messages must be on the panel before the watch records it as read. The wearer needs
    /// this time to read four or five words.
    static var noticeReading: Microseconds { .seconds(1) }
    /// The face shows changes from the phone at most once in this time. A change shows earlier if the phone sends a push, or if
    /// the wearer raises the wrist or uses the watch. Other watches have the same limit (ClockKit).
    static var complicationPace: Microseconds { .seconds(600) }
    /// How long time travel on the face lasts after the last turn of the crown.
    static var travelTimeout: Microseconds { .seconds(20) }
    /// The maximum time that a built-in stage waits for the phone.
    public static var phoneTimeout: Microseconds { .seconds(5) }
}
