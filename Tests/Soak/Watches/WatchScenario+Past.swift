import DeviceModel
import Foundation
import PhoneHost
import Watch
import WatchLink

extension WatchScenario {
    // MARK: Owners

    /// Gives a phone a history of purchases. Every third item stays on the list, checked off.
    func buyBefore(on phone: PhoneComputer) {
        let names = (0..<4 + Int(plan.seed / 2 % 5)).map { _ in newTitle(for: phone) }
        let drafts = names.compactMap { try? CleanTitle($0) }.map { ItemDraft(title: $0) }
        let now = phone.wallClock.date
        let items = command(phone) { store throws(PhoneError) in
            let items = try await store.add(drafts).items
            var edits: [ListEdit] = []
            for (days, item) in items.enumerated() {
                let time = now - Double((days + 1) * 86_400)
                edits.append(ListEdit(item: item.id, action: .check(at: time)))
                if days % 3 != 0 { edits.append(ListEdit(item: item.id, action: .remove(at: time))) }
            }
            return try await store.apply(edits, origin: .command)
        }
        guard items != nil else { return }
        bought[phone.number] = names
        tell("\(phone.name)'s owner has bought \(names.joined(separator: ", "))")
    }

    func retype(_ item: Int, on phone: PhoneComputer) {
        guard let names = bought[phone.number], let title = try? CleanTitle(names[item % names.count]) else { return }
        oracle.edited(title.text)
        let draft = ItemDraft(title: title)
        let addition = command(phone) { store throws(PhoneError) in
            try await store.addMissing([draft], to: nil, origin: .command)
        }
        guard let addition else { return }
        tell("\(phone.name)'s owner types \(title.text)\(addition.present.isEmpty ? "" : ", which is on the list")")
    }

    // MARK: Wearers

    func addPast(on wearer: SimulatedWearer, row: Int, count: Int) {
        guard showPast(on: wearer) else { return }
        for _ in 0..<count {
            guard let screen = look(at: wearer), screen.screen == .past else { break }
            touchPast(on: wearer, row: row, of: screen)
        }
        if wearer.run?.describe().screen == .past { give(.press(.crown), to: wearer) }
    }

    private func showPast(on wearer: SimulatedWearer) -> Bool {
        if let screen = wearer.run?.describe().screen, screen != .list, screen != .past {
            give(.press(.crown), to: wearer)
        }
        for input in [Input].swipe(1) {
            give(input, to: wearer)
            run(for: .milliseconds(40))
        }
        return wearer.run?.describe().screen == .past
    }

    func touchPast(on wearer: SimulatedWearer, row: Int, of screen: ScreenDescription) {
        wearer.note(screen)
        let place = max(0, min(row % RowGeometry.rowsVisible, screen.rows.count - screen.firstVisibleRow - 1))
        guard let shown = screen.row(at: place) else { return }
        let isPlain = isPlain(shown.title)
        touching = wearer.run.map {
            PendingTouch(
                watch: wearer.number, deed: .addition(isPlain: isPlain), title: shown.title, time: now,
                interrupt: $0.interrupt(ofFingerAt: now))
        }
        tell("\(wearer.name) adds \(shown.title)")
        touch(wearer, row: place)
        if touching != nil { concludeTouch() }
    }

    /// Returns whether the phone must put an added item with this title on its list. Returns false if that is
    /// uncertain: if a clock was set, if the phone has not yet applied every tap on the title, or if the title was
    /// bought or removed in the last 3 s. The 3 s are necessary because the phone compares whole seconds of two clocks.
    private func isPlain(_ title: String) -> Bool {
        guard let owner = oracle.owner(of: title), !simulation.hasHappened(.clockJump),
            !simulation.hasHappened(.watchClockJump),
            let history = silentHistory(of: phones[owner]), oracle.isSettled(title, in: history)
        else { return false }
        let lately = phones[owner].wallClock.date - 3
        return !history.contains { entry in
            switch entry.event {
            case .checked, .repeated, .removed: entry.title == title && entry.time > lately
            case .added, .renamed, .described, .unchecked, .rejected: false
            }
        }
    }

    /// Returns a phone's history. Unlike `history(of:)`, does not notify the phone's program of a change.
    private func silentHistory(of phone: PhoneComputer) -> [HistoryEntry]? {
        guard let store = phone.database(on: disk) else { return nil }
        let history: [HistoryEntry]?? = executor.result { try? await store.history() }
        return history ?? nil
    }
}
