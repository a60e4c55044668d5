import WatchLink

/// The capacities and times of the watch. The capacities determine `WatchRuntime.memorySize`.
public enum WatchLimits {
    /// How many items the watch stores: the first ones of the phone's list.
    public static var items: Int { 128 }
    /// How many rows the list has: one more than the items. The phone sends the next item as soon as it has a check-off, while
    /// the checked row may still be held.
    static var rows: Int { items + 1 }
    /// How many messages may wait for the phone's acknowledgement: one for each item, and half as many again for items that
    /// arrive while the phone is slow to answer.
    static var outbox: Int { 192 }
    static var timeline: Int { 16 }
    /// How many taps may have stages that have not run yet.
    static var deferredTaps: Int { 32 }
    /// The most bytes of a datagram, in each direction.
    public static var largestSDU: Int { 512 }
    /// The most bytes of a description of the screen.
    static var largestDescription: Int { 592 }
    /// How long a value of the phone may be in memory only. A value that changes all the time, in records of up to 120 bytes,
    /// then fills a bank of 32 KB in 4.5 hours.
    static var valueAge: Microseconds { .seconds(60) }
    /// How long after the touch a struck-through row stays in place, so that a bounce or a double tap cannot hit the next item.
    public static var struckRowHold: Microseconds { .milliseconds(250) }
    /// How long the digits of a pairing must be on the panel before an answer counts. A tap that was meant for the previous
    /// screen is no answer.
    static var pairingGuard: Microseconds { .milliseconds(500) }
    /// How long a notice of a loss must be on the panel to count as read. A practised reader can look and read four or five
    /// words in this time. If the sheet is closed sooner, the notice is shown again.
    static var noticeReading: Microseconds { .seconds(1) }
    /// How long the face keeps a change by the phone before it shows the next one. Watches let an app update its complications
    /// this often by itself (ClockKit).
    static var complicationPace: Microseconds { .seconds(600) }
    /// How long the face shows another time after the crown was last turned. A watch that was put down must not show a wrong
    /// time.
    static var travelTimeout: Microseconds { .seconds(20) }
    /// How long a built-in stage waits for the phone at most.
    public static var phoneTimeout: Microseconds { .seconds(5) }
}
