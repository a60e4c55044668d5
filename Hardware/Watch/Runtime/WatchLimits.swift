import WatchLink

/// The capacities and times of the watch. The capacities determine `WatchRuntime.memorySize`.
public enum WatchLimits {
    /// How many items the watch stores, from the start of the phone's list.
    public static var items: Int { 128 }
    /// One more than the items: at a check-off the phone sends the next item, while the struck row may still be in place.
    static var rows: Int { items + 1 }
    /// The most queued messages. One for each item, and half as many again for items that arrive while the phone answers slowly.
    static var outbox: Int { 192 }
    static var timeline: Int { 16 }
    static var deferredTaps: Int { 32 }
    /// The most bytes of a datagram, in each direction.
    public static var largestSDU: Int { 512 }
    static var largestDescription: Int { 592 }
    /// How long a value from the phone may be in memory only. If the watch stores 120 bytes at this interval, a bank of 32 KB
    /// is full after 4.5 hours.
    static var valueAge: Microseconds { .seconds(60) }
    /// How long after the touch a struck-through row stays in place, so that a bounce or a double tap cannot hit the next item.
    public static var struckRowHold: Microseconds { .milliseconds(250) }
    /// How long the digits of a pairing must be on the panel before an answer counts. An earlier tap may have been meant for
    /// the previous screen.
    static var pairingGuard: Microseconds { .milliseconds(500) }
    /// How long the notice of a loss must be on the panel to count as read: time to look and read four or five words.
    static var noticeReading: Microseconds { .seconds(1) }
    /// The shortest time between two changes that the phone makes to the face. A push or the wearer can end it early. On other
    /// watches, an app may update its complications by itself equally often (ClockKit).
    static var complicationPace: Microseconds { .seconds(600) }
    /// How long the face shows another time after the last turn of the crown.
    static var travelTimeout: Microseconds { .seconds(20) }
    /// The longest time that a built-in stage waits for the phone.
    public static var phoneTimeout: Microseconds { .seconds(5) }
}
