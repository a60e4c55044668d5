import DeviceModel
import PhoneHost
import WatchLink

/// Watches and a phone that have been at it for years.
extension World {
    /// Has the streams of messages go on shortly before the numbers at which they begin again, or before the last number
    /// that there is. The watches and the phone that serves have to be in sync, which they are soon after the beginning.
    func age() {
        run(until: Instant(microseconds: 1_400_000))
        guard wrists.allSatisfy({ saysInSync($0) != nil && $0.run?.describe().waitingMessages == 0 }) else { return }
        let issued = (random.next() % 2 == 0 ? UInt32.max : 1 << 31) - 1 - UInt32(random.next() % 6)
        let applied = (1 << 31) - 1 - UInt32(random.next() % 6)
        stopHost()
        for wrist in wrists {
            wrist.radio.cut(at: now)
            wrist.run?.wake(at: now)
        }
        run(for: .milliseconds(20))
        for wrist in wrists {
            guard wrist.run?.renumber(issued: issued, applied: applied) == true else {
                return fail(.staysUp, "\(wrist.name)'s watch is not idle after its link has ended")
            }
            wrist.run?.wake(at: now)
        }
        withoutPrograms(of: phones[served]) {
            phones[served].write(
                """
                UPDATE peer SET issued = \(applied), acknowledged = \(applied), queuedApplied = \(issued)
                """, on: disk)
        }
        counts[.largeSequence, default: 0] += 1
        tell("the numbers of the messages go on after \(issued) and \(applied)")
        startHost()
        for wrist in wrists where random.next() % 2 == 0 {
            wrist.reach = .away(until: now + .seconds(20))
            wrist.radio.cut(at: now)
        }
    }
}
