import DeviceModel
import PhoneHost
import WatchLink

/// What was there to see when the rows were last compared.
struct Sight: Equatable {
    var rows: [[ScreenDescription.Row]?]
    var writes: Int
}

/// Looking at both sides.
extension World {
    /// What the phone that serves says.
    private struct PhoneState {
        /// The titles that a watch should show.
        var window: [String]
        /// Whether no connected watch has anything waiting.
        var work: Work

        var isDone: Bool {
            switch work {
            case .done: true
            case .waiting: false
            }
        }

        enum Work {
            case done
            /// Something waits for a watch that is connected.
            case waiting
        }
    }

    private func phoneState() -> PhoneState? {
        guard let run = phones[served].run, let store = phones[served].database(on: disk) else { return nil }
        let server = run.server
        let state: PhoneState?? = pump.result {
            guard let contents = try? await store.contents(), let watches = try? await store.watches() else {
                return nil
            }
            let connected = await server.connectedWatches
            let isDone = watches.allSatisfy { watch in
                watch.waiting == 0 || !connected.contains { $0.rawValue == watch.identity }
            }
            return PhoneState(window: contents.open.prefix(128).map(\.title), work: isDone ? .done : .waiting)
        }
        return state ?? nil
    }

    /// Whether a watch says that it is in sync, with nothing on its way and nobody acting.
    func saysInSync(_ wrist: Wrist) -> ScreenDescription? {
        guard let run = wrist.run, run.now <= now, wrist.radio.isUp, wrist.radio.isQuiet, wrist.radio.hearing == .both
        else { return nil }
        // Its phone has gone, maybe for another one. The watch learns that at once, and until then speaks of the phone before.
        guard !wrist.radio.isOver else { return nil }
        let screen = run.describe()
        wrist.note(screen)
        return screen.synchronization == .synchronized ? screen : nil
    }

    /// Whether the phone has said in its log that it will try something again, and has not had the time: it tries after 1 s
    /// (`PhoneServer.retryPause`), and the message then needs the disk and some connection events.
    private var hasFailedLately: Bool {
        let phone = phones[served]
        let errors = phone.log.lines.count { $0.hasPrefix("error") }
        if errors > phone.errorsSeen {
            phone.errorsSeen = errors
            phone.lastError = now
        }
        return phone.lastError.map { now < $0 + .milliseconds(1_500) } ?? false
    }

    /// Where a watch and its phone both say that they are in sync, the rows are the phone's.
    func checkRows() {
        let screens = wrists.map { saysInSync($0) }
        let sight = Sight(rows: screens.map { $0?.rows }, writes: disk.writes)
        guard violation == nil, screens.contains(where: { $0 != nil }), sight != lastSight else { return }
        lastSight = sight
        guard let phone = phoneState(), phone.isDone, !hasFailedLately else { return }
        for (wrist, screen) in zip(wrists, screens) {
            // The rows on the sheet with past items are those.
            guard let screen, screen.screen != .past else { continue }
            let rows = screen.rows.filter { $0.state == .waiting }.map(\.title)
            guard rows != phone.window else { continue }
            let extra = rows.filter { !phone.window.contains($0) }
            let missing = phone.window.filter { !rows.contains($0) }
            fail(
                .inSyncIsTrue,
                "\(wrist.name)'s watch says it is in sync with \(phones[served].name)"
                    + (extra.isEmpty ? "" : ", and shows \(extra.joined(separator: ", "))")
                    + (missing.isEmpty ? "" : ", and lacks \(missing.joined(separator: ", "))")
                    + (extra.isEmpty && missing.isEmpty ? ", and has another order" : ""))
        }
    }

    /// Ends every fault, connects everything in turn until both sides say that they are in sync, and judges.
    func conclude() {
        guard violation == nil else { return }
        tell("the faults are over")
        heal()
        var synchronized: Set<Int> = []
        for round in 0..<(phones.count == 1 ? 1 : 3) {
            if phones.count > 1 { serve(phones[round % 2]) }
            synchronized = awaitSync(atMost: .seconds(phones.count == 1 ? 240 : 150))
            checkRows()
        }
        if let wrist = wrists.first(where: { !synchronized.contains($0.number) }) {
            fail(.converges, "\(wrist.name)'s watch and \(phones[served].name) never say that they are in sync")
        }
        judgeCosts()
        judgeFiles()
        judgeOffers()
        guard violation == nil else { return }
        let evidence = phones.map { phone in
            Oracle.Evidence(
                phone: phone.number, history: history(of: phone),
                open: contents(of: phone)?.lists.map { $0.open.map(\.title) } ?? [], log: phone.log.lines,
                notices: wrists.flatMap(\.notices))
        }
        let isNewlyNumbered = [FaultKind.largeSequence, .anotherPhone].allSatisfy { counts[$0] != nil }
        if let violation = oracle.judge(evidence, told: isNewlyNumbered ? .phone : .phoneAndWatch) {
            fail(violation.promise, violation.what)
        }
    }

    /// Waits until every watch and the phone say that they are in sync. Returns the watches that did.
    private func awaitSync(atMost length: Microseconds) -> Set<Int> {
        var synchronized: Set<Int> = []
        let end = now + length
        while violation == nil, now < end {
            run(for: .milliseconds(500))
            for wrist in wrists where saysInSync(wrist) != nil { synchronized.insert(wrist.number) }
            guard synchronized.count == wrists.count, let phone = phoneState() else { continue }
            if phone.isDone, !hasFailedLately, areFilesDone { return synchronized }
        }
        return synchronized
    }

    private func heal() {
        for wrist in wrists {
            if wrist.flash.hasPower { wrist.flash.restorePower() }
            let isWorn = wrist.flash.isWorn
            wrist.flash.heal()
            // Another chip with the same contents: a journal that has given up tries again when it is mounted.
            if isWorn { restart(wrist) }
            wrist.secondCut = nil
            if case .away = wrist.reach { wrist.reach = .away(until: now) }
            if wrist.noiseEnds != nil { wrist.noiseEnds = now }
            wrist.radio.encourage(at: now)
        }
        for phone in phones {
            phone.run?.process.fate = .none
            phone.run.map { noteFailures(of: $0) }
        }
        for wrist in wrists where wrist.flash.failures > 0 { counts[.flashFailure, default: 0] += wrist.flash.failures }
    }
}
