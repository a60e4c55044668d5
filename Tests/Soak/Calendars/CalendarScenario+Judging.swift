import CalDAV
import PhoneHost
import WatchLink

extension CalendarScenario {
    private static let mostSyncs = 12

    func conclude() {
        heal()
        // One phone may send something after the other has found nothing, so both must be quiet twice in a row.
        var quiet = 0
        for _ in 0..<CalendarScenario.mostSyncs {
            for phone in phones { syncWhole(phone) }
            guard violation == nil else { return }
            quiet = phones.allSatisfy { $0.program?.last.map(isQuiet) == true } ? quiet + 1 : 0
            if quiet == 2 { return judge() }
        }
        let reports = phones.map { phone in
            phone.program?.last.map { "\($0.errors) \($0.lists.map(\.waiting))" } ?? "nothing"
        }
        fail(.listsAgree, "nothing goes wrong any more, and the syncs do not come to an end: \(reports)")
    }

    private func isQuiet(_ report: AccountSync.Report) -> Bool {
        guard report.errors.isEmpty, let list = report.lists.first, list.waiting == 0 else { return false }
        let round = list.round
        return round.refused.isEmpty
            && round.received + round.sent + round.removed + round.deleted + round.restored + round.missing == 0
    }

    /// Runs a complete sync of a phone, after any sync that is still running. If many items are missing, restores them
    /// if the server was restored, and otherwise accepts their removal.
    private func syncWhole(_ phone: SharingPhone) {
        let patience = now + .seconds(600)
        var policy = MissingPolicy.ask
        if let missing = phone.program?.last?.lists.first?.round.missing, missing > 0 {
            policy = isServerRestored ? .restore : .accept
        }
        while violation == nil, now < patience {
            phone.program?.process.fate = .none
            if phone.program == nil {
                run(until: now + .seconds(1))
            } else if phone.program?.sync == nil {
                break
            } else {
                run(until: now + .milliseconds(40))
            }
        }
        sync(phone, missing: policy)
        while violation == nil, now < patience, phone.program?.sync != nil { run(until: now + .milliseconds(40)) }
    }

    private func judge() {
        let shown = onServer.map(\.todo.sight)
        fail(expected.see(shown, by: .other))
        var all = [("the server", shown)]
        for phone in phones {
            guard let rows = look(phone) else {
                return fail(.listsAgree, "\(phone.name) cannot be read")
            }
            all.append((phone.name, rows.map(\.sight)))
        }
        let judge = CalendarOracle(expected: expected, server: shown)
        for (name, shown) in all.dropFirst() { fail(judge.difference(of: name, shown)) }
        fail(judge.judge())
        for (_, todo) in onServer {
            guard let number = expected.number(of: todo.title), isOther(number), !todo.hasOwnLine else { continue }
            fail(.othersTextStays, "item \(number) has lost a line that another program wrote")
        }
    }

    private func isOther(_ number: Int) -> Bool {
        versions.values.contains { texts in
            texts.first.map { $0.hasOwnLine && $0.title == "Item \(number)" } ?? false
        }
    }
}
