import DeviceModel
import PhoneHost
import WatchLink

extension WatchScenario {
    /// The rows of each watch that says it is in sync, and the number of disk writes so far. `checkRows` skips its
    /// check while both stay the same.
    struct Comparison: Equatable {
        var rows: [[ScreenDescription.Row]?]
        var writes: Int
    }

    private struct PhoneState {
        /// The titles that a watch should show.
        var window: [String]
        /// Whether no message waits for a connected watch.
        var isDone: Bool
    }

    private func phoneState() -> PhoneState? {
        guard let program = phones[served].program, let store = phones[served].database(on: disk) else {
            return nil
        }
        let connected = program.connected
        let state: PhoneState?? = executor.result {
            guard let contents = try? await store.contents(), let watches = try? await store.watches() else {
                return nil
            }
            let isDone = watches.allSatisfy { watch in
                watch.waiting == 0 || !connected.contains { $0.rawValue == watch.identity }
            }
            return PhoneState(window: contents.open.prefix(128).map(\.title), isDone: isDone)
        }
        return state ?? nil
    }

    /// Returns the watch's screen if the watch says it is in sync and no datagram is in transit; otherwise nil.
    func saysInSync(_ wearer: SimulatedWearer) -> ScreenDescription? {
        guard let run = wearer.run, run.now <= now, wearer.radio.isUp, wearer.radio.isQuiet,
            wearer.radio.deafEnds.isEmpty
        else { return nil }
        // The phone has closed the channel. Until the watch notices that, its report concerns the earlier phone.
        guard !wearer.radio.isOver else { return nil }
        let screen = run.describe()
        wearer.note(screen)
        return screen.isSynchronized ? screen : nil
    }

    /// Whether the phone has logged an error in the last 1.5 s. The phone retries 1 s after an error
    /// (`PhoneMachine.retryPause`). The other 0.5 s are for the disk and the radio.
    private var hasFailedLately: Bool {
        let phone = phones[served]
        let errors = phone.log.lines.count { $0.hasPrefix("error") }
        if errors > phone.errorsSeen {
            phone.errorsSeen = errors
            phone.lastError = now
        }
        return phone.lastError.map { now < $0 + .milliseconds(1_500) } ?? false
    }

    private func checkRows() {
        let screens = wearers.map { saysInSync($0) }
        let comparison = Comparison(rows: screens.map { $0?.rows }, writes: disk.writes)
        guard violation == nil, screens.contains(where: { $0 != nil }), comparison != lastComparison
        else { return }
        lastComparison = comparison
        guard let phone = phoneState(), phone.isDone, !hasFailedLately else { return }
        for (wearer, screen) in zip(wearers, screens) {
            // The sheet with past items does not show the list's rows.
            guard let screen, screen.screen != .past else { continue }
            let rows = screen.rows.filter { $0.state == .waiting }.map(\.title)
            guard rows != phone.window else { continue }
            let extra = rows.filter { !phone.window.contains($0) }
            let missing = phone.window.filter { !rows.contains($0) }
            fail(
                .inSyncIsTrue,
                "\(wearer.name)'s watch says it is in sync with \(phones[served].name)"
                    + (extra.isEmpty ? "" : ", and shows \(extra.joined(separator: ", "))")
                    + (missing.isEmpty ? "" : ", and lacks \(missing.joined(separator: ", "))")
                    + (extra.isEmpty && missing.isEmpty ? ", and has another order" : ""))
        }
    }

    func check() {
        checkRows()
        judgeCosts()
    }

    /// Ends every fault, waits until each watch says it is in sync, and checks the result.
    func conclude() {
        heal()
        var synchronized: Set<Int> = []
        for round in 0..<(phones.count == 1 ? 1 : 3) {
            if phones.count > 1 { serve(phones[round % 2]) }
            synchronized = awaitSync(atMost: .seconds(phones.count == 1 ? 240 : 150))
            checkRows()
        }
        if let wearer = wearers.first(where: { !synchronized.contains($0.number) }) {
            fail(.converges, "\(wearer.name)'s watch and \(phones[served].name) never say that they are in sync")
        }
        judgeCosts()
        judgeFiles()
        guard violation == nil else { return }
        let evidence = phones.map { phone in
            WatchOracle.Evidence(
                phone: phone.number, history: history(of: phone),
                open: contents(of: phone)?.lists.map { $0.open.map(\.title) } ?? [], log: phone.log.lines,
                notices: wearers.flatMap(\.notices))
        }
        fail(oracle.judge(evidence))
    }

    /// Waits until each watch has said that it is in sync and the phone has nothing left to send, but at most for
    /// `length`. Returns the numbers of the watches that have said that they are in sync.
    private func awaitSync(atMost length: Microseconds) -> Set<Int> {
        var synchronized: Set<Int> = []
        let end = now + length
        while violation == nil, now < end {
            run(for: .milliseconds(500))
            for wearer in wearers where saysInSync(wearer) != nil { synchronized.insert(wearer.number) }
            guard synchronized.count == wearers.count, let phone = phoneState() else { continue }
            if phone.isDone, !hasFailedLately, areFilesDone { return synchronized }
        }
        return synchronized
    }

    private func heal() {
        for wearer in wearers {
            if wearer.flash.hasPower { wearer.flash.restorePower() }
            let isWorn = wearer.flash.isWorn
            wearer.flash.heal()
            // The healed chip stands for a new chip with the same contents. A journal that has given up tries again
            // only at the next start.
            if isWorn { restart(wearer) }
            (wearer.secondCut, wearer.isCutAgain) = (nil, false)
            if case .away = wearer.reach { wearer.reach = .away(until: now) }
            if wearer.noiseEnds != nil { wearer.noiseEnds = now }
            wearer.radio.encourage(at: now)
        }
        healComputers()
        for wearer in wearers where wearer.flash.failures > 0 {
            simulation.count(.flashFailure, wearer.flash.failures)
        }
    }
}
