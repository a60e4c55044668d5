import DeviceModel
import Foundation
import PhoneHost
import Watch
import WatchLink

/// Past items, which wearers add again.
extension World {
    /// Phones whose lists have fewer rows than this leave the watches room for all past items.
    private static let roomyList = 100

    // MARK: Owners

    /// What the owner of a phone has bought in the weeks before: some of it is on the list yet, checked off.
    func buyBefore(on phone: Phone) {
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

    /// The owner types the title of something that was bought before.
    func retype(_ item: Int, on phone: Phone) {
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

    /// The wearer turns to the past items, adds some, and turns back.
    func addPast(on wrist: Wrist, row: Int, count: Int) {
        guard showPast(on: wrist) else { return }
        for _ in 0..<count {
            guard let screen = look(at: wrist), screen.screen == .past else { break }
            touchPast(on: wrist, row: row, of: screen)
        }
        leavePast(on: wrist)
    }

    /// Turns to the past items; returns whether they are up.
    private func showPast(on wrist: Wrist) -> Bool {
        if let screen = wrist.run?.describe().screen, screen != .list, screen != .past {
            give(.press(.crown), to: wrist)
        }
        for input in [Input].swipe(1) {
            give(input, to: wrist)
            run(for: .milliseconds(40))
        }
        return wrist.run?.describe().screen == .past
    }

    private func leavePast(on wrist: Wrist) {
        if wrist.run?.describe().screen == .past { give(.press(.crown), to: wrist) }
    }

    /// A finger comes down on a past item, or behind the last one, where the last is meant.
    func touchPast(on wrist: Wrist, row: Int, of screen: ScreenDescription) {
        wrist.note(screen)
        let place = max(0, min(row % RowGeometry.rowsVisible, screen.rows.count - screen.firstVisibleRow - 1))
        guard let shown = screen.row(at: place) else { return }
        let circumstances = circumstances(of: shown.title)
        touching = wrist.run.map {
            WristTouch(
                watch: wrist.number, deed: .addition(circumstances), title: shown.title, time: now,
                interrupt: $0.interrupt(ofFingerAt: now))
        }
        tell("\(wrist.name) adds \(shown.title)")
        touch(wrist, row: place)
        if touching != nil { concludeTouch() }
    }

    /// Whether it is certain what an addition of this title leads to. The phone compares whole seconds of two clocks.
    private func circumstances(of title: String) -> Tap.Circumstances {
        guard let owner = oracle.owner(of: title), counts[.clockJump] == nil, counts[.watchClockJump] == nil,
            let history = silentHistory(of: phones[owner]), oracle.isSettled(title, in: history)
        else { return .mixed }
        let lately = phones[owner].wallClock.date - 3
        let isBoughtLately = history.contains { entry in
            switch entry.event {
            case .checked, .repeated: entry.title == title && entry.time > lately
            case .added, .renamed, .described, .unchecked, .removed, .rejected: false
            }
        }
        return isBoughtLately ? .mixed : .plain
    }

    /// A phone's history, of whose reading no program hears.
    private func silentHistory(of phone: Phone) -> [HistoryEntry]? {
        guard let store = phone.database(on: disk) else { return nil }
        let history: [HistoryEntry]?? = pump.result { try? await store.history() }
        return history ?? nil
    }

    // MARK: Judging

    /// What the watches of the phone that serves offer at the end: nothing that is on its list or another phone's, nothing twice,
    /// and all of them the same.
    func judgeOffers() {
        guard violation == nil, plan.offersPast,
            let list = command(phones[served], { store throws(PhoneError) in try await store.contents() })
        else { return }
        let open = Set(list.open.map(\.title))
        var offers: [(name: String, titles: [String])] = []
        for wrist in wrists where saysInSync(wrist) != nil && showPast(on: wrist) {
            guard let screen = look(at: wrist), screen.screen == .past else { continue }
            leavePast(on: wrist)
            guard saysInSync(wrist) != nil else { continue }
            offers.append((wrist.name, screen.rows.map(\.title)))
            tell("\(wrist.name)'s watch offers \(screen.rows.map(\.title).joined(separator: ", "))")
        }
        for (name, titles) in offers {
            for (place, title) in titles.enumerated() {
                if oracle.owner(of: title) != served {
                    fail(.onlyYourPhone, "\(name)'s watch offers \(title), which \(phones[served].name) never had")
                }
                if titles[..<place].contains(title) { fail(.inSyncIsTrue, "\(name)'s watch offers \(title) twice") }
                if open.contains(title) {
                    fail(.inSyncIsTrue, "\(name)'s watch offers \(title), which is on the list")
                }
            }
            guard open.count < World.roomyList, titles != offers[0].titles else { continue }
            fail(
                .inSyncIsTrue,
                "\(offers[0].name)'s watch offers \(offers[0].titles), and \(name)'s watch \(titles) of the same phone")
        }
    }
}
