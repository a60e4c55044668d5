import WatchLink

/// The capacities and times of the watch. The capacities determine `WatchRuntime.memorySize`.
public enum WatchLimits {
    /// Items on the watch: the first of the phone's list.
    public static var items: Int { 128 }
    /// Rows of the list: one more than the items, because the phone sends the next item as soon as it has a check-off,
    /// while the checked row may still be held.
    static var rows: Int { items + 1 }
    /// Messages that the phone has not acknowledged: one for each item and half as many again, for items that arrive
    /// while the phone is slow to answer.
    static var outbox: Int { 192 }
    static var timeline: Int { 16 }
    /// Taps with deferred stages still to run.
    static var deferredTaps: Int { 32 }
    /// The largest datagram in bytes, in either direction.
    public static var largestSDU: Int { 512 }
    /// In bytes.
    static var largestDescription: Int { 592 }
    /// How long a value of the phone may be in memory alone. One that changes all the time then fills a bank of 32 KB,
    /// with records of up to 120 bytes, in 4.5 hours.
    static var valueAge: Microseconds { .seconds(60) }
    /// How long a struck row stays in place from the touch, so that a bounce or a double tap cannot hit the next item.
    public static var struckRowHold: Microseconds { .milliseconds(250) }
    /// How long pairing digits must be on the panel before an answer counts, so that a tap meant for the screen before
    /// is no answer.
    static var pairingGuard: Microseconds { .milliseconds(500) }
    /// How long a notice of a loss must be on the panel to count as read: a practised reader looks and reads four or
    /// five words in this time. A sheet that was closed sooner shows the notice again.
    static var noticeReading: Microseconds { .seconds(1) }
    /// How long the face keeps a change by the phone before it shows the next: the pace at which watches let an app
    /// update its complications by itself (ClockKit).
    static var complicationPace: Microseconds { .seconds(600) }
    /// How long the face shows another time after the last turn of the crown. A watch that is put down must not tell a
    /// wrong time.
    static var travelTimeout: Microseconds { .seconds(20) }
    /// The longest time that a built-in stage waits for the phone.
    public static var phoneTimeout: Microseconds { .seconds(5) }
}
