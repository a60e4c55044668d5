import WatchLink

/// The capacities and times of the watch. The capacities determine `WatchRuntime.memorySize`.
public enum WatchLimits {
    /// How many items the watch stores, from the start of the phone's list.
    public static var items: Int { 128 }
    /// How many rows the list has: one more than the items. The phone sends the next item as soon as it gets a check-off. At that
    /// time, the checked-off row may still be held in place.
    static var rows: Int { items + 1 }
    /// How many messages may wait for the phone's acknowledgement: one for each item, and half as many again for items that
    /// arrive while the phone answers slowly.
    static var outbox: Int { 192 }
    static var timeline: Int { 16 }
    /// How many taps may have stages that have not run yet.
    static var deferredTaps: Int { 32 }
    /// The most bytes of a datagram, in each direction.
    public static var largestSDU: Int { 512 }
    /// The most bytes of a description of the screen.
    static var largestDescription: Int { 592 }
    /// How long a value from the phone may be in memory only. If a value changes all the time, its records of up to 120 bytes
    /// fill a bank of 32 KB in 4.5 hours.
    static var valueAge: Microseconds { .seconds(60) }
    /// How long after the touch a struck-through row stays in place, so that a bounce or a double tap cannot hit the next item.
    public static var struckRowHold: Microseconds { .milliseconds(250) }
    /// How long the digits of a pairing must be on the panel before an answer counts. Before that, a tap may have been meant for
    /// the previous screen.
    static var pairingGuard: Microseconds { .milliseconds(500) }
    /// How long the notice of a loss must be on the panel to count as read. In this time, a practised reader can look and read
    /// four or five words. If the sheet closes sooner, the notice is shown again.
    static var noticeReading: Microseconds { .seconds(1) }
    /// How long the face keeps a change by the phone before it shows the next change. Other watches let an app update its
    /// complications by itself this often (ClockKit).
    static var complicationPace: Microseconds { .seconds(600) }
    /// How long the face shows another time after the last turn of the crown. A watch that is put down must not show a wrong time
    /// for long.
    static var travelTimeout: Microseconds { .seconds(20) }
    /// The longest time that a built-in stage waits for the phone.
    public static var phoneTimeout: Microseconds { .seconds(5) }
}
