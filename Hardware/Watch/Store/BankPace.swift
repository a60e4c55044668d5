import WatchLink

/// How often the journal may erase a bank for what the phone sends, so that a phone that never ends does not wear out the
/// flash chip: sixteen times after a start, once for each check-off, and once every eight minutes.
///
/// Of a chip that withstands 100,000 erases of a sector, sixteen sectors in two banks, the eight minutes alone take three
/// years without a pause. A full list of 128 rows takes a sixth of a bank.
struct BankPace: BitwiseCopyable {
    /// The most erases of a bank that are saved up.
    static var mostSaved: UInt8 { 16 }
    /// The time after which there is another.
    static var interval: Microseconds { .seconds(480) }

    private var saved = BankPace.mostSaved
    /// When the time for the next one began to count.
    private var since = Instant.start

    /// Whether so few erases are left that they are for the list: four, which hold it up for half an hour.
    var isScarce: Bool { saved < 4 }

    /// The wearer has checked something off.
    mutating func earn() {
        if saved < BankPace.mostSaved { saved &+= 1 }
    }

    /// Whether a bank may be erased now.
    mutating func allows(at now: Instant) -> Bool {
        while saved < BankPace.mostSaved, now >= since + BankPace.interval {
            saved &+= 1
            since = since + BankPace.interval
        }
        if saved == BankPace.mostSaved { since = now }
        return saved > 0
    }

    /// A bank is being erased: `allows` was true.
    mutating func spend() {
        if saved > 0 { saved &-= 1 }
    }

    /// When a bank may be erased again; nil where it may be at once.
    var next: Instant? { saved > 0 ? nil : since + BankPace.interval }
}
