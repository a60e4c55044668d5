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
    /// Entries of the complication's time line.
    static var timeline: Int { 16 }
    /// Taps with deferred stages still to run.
    static var deferredTaps: Int { 32 }
    /// The largest datagram in bytes, in either direction.
    public static var largestSDU: Int { 512 }
    /// The longest description of the screen in bytes.
    static var largestDescription: Int { 592 }
    /// How long a latest value of the phone's may be in memory alone: a minute. Each time the flash chip takes a record of up to
    /// 120 bytes, so that one which changes all the time fills a bank of 32 KB in 4.5 hours.
    static var valueAge: Microseconds { .seconds(60) }
    /// How long a struck row stays in place from the touch, so that a bounce or a double tap cannot hit the next item:
    /// 250 ms.
    public static var struckRowHold: Microseconds { .milliseconds(250) }
    /// How long the digits of a pairing have to be on the panel before an answer counts, so that a tap meant for the
    /// screen before is no answer.
    static var pairingGuard: Microseconds { .milliseconds(500) }
    /// How long a notice of a loss has to be on the panel to count as read: 1 s. To look at the wrist and read its four or
    /// five words takes a practised reader this long; a sheet that was turned away sooner says it again.
    static var noticeReading: Microseconds { .seconds(1) }
    /// How long the face keeps what the phone has changed on it before it shows the next change: ten minutes, the pace at which
    /// watches let an app update its complications by itself (ClockKit).
    static var complicationPace: Microseconds { .seconds(600) }
    /// How long the face shows another time after the last turn of the crown: 20 s. Whoever reads it has turned on or pressed the
    /// crown by then, and a watch that is put down must not tell a wrong time.
    static var travelPatience: Microseconds { .seconds(20) }
    /// The longest time that a built-in stage waits for the phone: 5 s.
    public static var phonePatience: Microseconds { .seconds(5) }
}
