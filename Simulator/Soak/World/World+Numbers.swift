import DeviceModel
import GRDBSQLite
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
            write(
                """
                UPDATE watch SET queuedIssued = \(applied), queuedAcknowledged = \(applied), queuedApplied = \(issued)
                """, to: phones[served])
        }
        counts[.largeSequence, default: 0] += 1
        tell("the numbers of the messages go on after \(issued) and \(applied)")
        startHost()
        for wrist in wrists where random.next() % 2 == 0 {
            wrist.reach = .away(until: now + .seconds(20))
            wrist.radio.cut(at: now)
        }
    }

    /// Changes a phone's database past its program.
    private func write(_ sql: String, to phone: Phone) {
        let before = disk.process
        disk.process = DiskProcess()
        defer { disk.process = before }
        var database: OpaquePointer?
        defer { sqlite3_close(database) }
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(phone.path, &database, flags, nil) == SQLITE_OK,
            sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK
        else { preconditionFailure("the database cannot be changed: \(String(cString: sqlite3_errmsg(database)))") }
    }
}
