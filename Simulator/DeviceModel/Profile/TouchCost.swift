import WatchLink

/// What the touch controller takes to see a finger.
package struct TouchCost: Sendable, Equatable {
    /// The low power that a controller goes to by itself.
    package struct Rest: Sendable, Equatable {
        /// For how long it has to see no finger before.
        package var after: Microseconds
        /// The time from one scan to the next from then on, more than zero.
        package var scanInterval: Microseconds
    }

    /// The time from one scan to the next while it is used; a finger is seen, and the interrupt fires, at the next scan.
    package var scanInterval: Microseconds
    /// Its low power; nil for a controller that goes on scanning.
    package var rest: Rest?

    /// The longest that any finger waits for its interrupt.
    package var longestWait: Microseconds { max(scanInterval, rest?.scanInterval ?? .zero) }

    /// The longest that the finger may have waited whose interrupt has fired at `interrupt`.
    ///
    /// - Parameter last: the scan that saw the finger before, or the first one of all.
    package func wait(before interrupt: Instant, lastScan last: Instant) -> Microseconds {
        guard let rest, interrupt > asleep(after: last, rest) else { return scanInterval }
        return rest.scanInterval
    }

    /// The last scan before the controller rests.
    private func asleep(after last: Instant, _ rest: Rest) -> Instant {
        TouchCost.scan(from: last + rest.after, every: scanInterval, countedFrom: last)
    }

    /// When the interrupt fires for a finger that came down at `instant`.
    ///
    /// - Parameter last: the scan that saw the finger before, or the first one of all. Scans are counted from there, and those
    ///   at rest from the first scan that comes when it is time to rest.
    package func interrupt(after instant: Instant, lastScan last: Instant) -> Instant {
        let next = TouchCost.scan(from: instant, every: scanInterval, countedFrom: last)
        guard let rest else { return next }
        let asleep = asleep(after: last, rest)
        guard instant > asleep else { return next }
        return TouchCost.scan(from: instant, every: rest.scanInterval, countedFrom: asleep)
    }

    /// When the interrupt fires for what a finger on the panel does at `instant`: a controller that sees a finger does not rest.
    ///
    /// - Parameter last: the scan that saw the finger before.
    func interrupt(ofPressedFingerAt instant: Instant, lastScan last: Instant) -> Instant {
        TouchCost.scan(from: instant, every: scanInterval, countedFrom: last)
    }

    /// The first scan of a board that starts at `instant`: its clock may have run before.
    package func firstScan(from instant: Instant) -> Instant {
        TouchCost.scan(from: instant, every: scanInterval, countedFrom: .start)
    }

    /// The first scan at `instant` or later. Without time between scans there is one at every instant.
    private static func scan(
        from instant: Instant, every interval: Microseconds, countedFrom origin: Instant
    ) -> Instant {
        guard interval > .zero else { return instant }
        guard instant > origin else { return origin }
        let passed = (instant - origin).count
        let scans = passed / interval.count + (passed % interval.count == 0 ? 0 : 1)
        return origin + Microseconds(scans * interval.count)
    }
}
