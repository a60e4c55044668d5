import DeviceModel
import PhoneHost
import Watch
import WatchLink

/// What wearers and owners do.
extension World {
    private static let nouns = [
        "Milk", "Bread", "Eggs", "Rice", "Salt", "Tea", "Figs", "Soap", "Leeks", "Honey", "Oats", "Pears", "Beans",
        "Plums", "Yeast", "Kale",
    ]

    func newTitle(for phone: Phone) -> String {
        titles += 1
        let title = "\(World.nouns[titles % World.nouns.count]) \(phone.letter)\(titles)"
        oracle.added(title, to: phone.number)
        return title
    }

    // MARK: Wearers

    /// A finger comes down on a row, and stays to see what happens.
    func tap(_ wrist: Wrist, row: Int) {
        waitUntilIdle(wrist)
        guard let run = wrist.run else { return }
        let screen = run.describe()
        wrist.note(screen)
        guard screen.screen == .list, let shown = screen.row(at: row), shown.state == .waiting else {
            touch(wrist, row: row)
            return
        }
        touching = Touching(watch: wrist.number, title: shown.title, time: now)
        tell("\(wrist.name) taps \(shown.title)")
        touch(wrist, row: row)
        if touching != nil { concludeTouch() }
    }

    /// Touches the panel, and waits until the watch has seen it.
    func touch(_ wrist: Wrist, row: Int) {
        guard let run = wrist.run else { return }
        let y = RowGeometry.rowTop(row % RowGeometry.rowsVisible) + RowGeometry.rowHeight / 2
        let number = run.take(.touch(x: 60, y: Int16(y)), at: now)
        follow(run, until: number, of: wrist)
    }

    func give(_ input: Input, to wrist: Wrist) {
        waitUntilIdle(wrist)
        guard let run = wrist.run else { return }
        follow(run, until: run.take(input, at: now), of: wrist)
    }

    private func follow(_ run: any WristRun, until number: InputNumber, of wrist: Wrist) {
        let limit = now + .seconds(2)
        while violation == nil, wrist.run === run, run.handled < number, now < limit { step(until: limit) }
    }

    private func waitUntilIdle(_ wrist: Wrist) {
        while violation == nil, let run = wrist.run, run.now > now { step(until: run.now) }
    }

    /// The wearer has seen what the touch did.
    func concludeTouch() {
        guard let touch = touching else { return }
        touching = nil
        let wrist = wrists[touch.watch]
        guard let run = wrist.run else { return }
        if run.describe().rows.contains(where: { $0.title == touch.title && $0.state == .struck }) {
            oracle.saw(touch.title, struckOn: touch.watch, at: touch.time)
        } else {
            tell("\(touch.title) is not struck")
        }
        takePulses(of: wrist)
    }

    // MARK: Owners

    /// Runs a command of the owner's on a phone's database.
    func command<Value: Sendable>(
        _ phone: Phone, _ body: @escaping @Sendable (PhoneStore) async throws(PhoneError) -> Value
    ) -> Value? {
        guard let store = phone.database(on: disk) else { return nil }
        var result: Result<Value, PhoneError>?
        let change = { [pump] in
            result = pump.result {
                do throws(PhoneError) { return .success(try await body(store)) } catch { return .failure(error) }
            }
        }
        if let run = phone.run, parts.hearing == .all { run.announce(change) } else { change() }
        settle()
        switch result {
        case .success(let value): return value
        case .failure, nil: return nil
        }
    }

    func addItems(_ count: Int, to phone: Phone) {
        let names = (0..<count).map { _ in newTitle(for: phone) }
        let drafts = names.compactMap { try? CleanTitle($0) }.map { ItemDraft(title: $0) }
        guard command(phone, { store throws(PhoneError) in try await store.add(drafts) }) != nil else { return }
        tell("\(phone.name)'s owner adds \(names.joined(separator: ", "))")
    }

    func edit(_ phone: Phone, item: Int, _ verb: String, _ action: ListEdit.Action, on isWanted: (StoredItem) -> Bool) {
        guard let contents = command(phone, { store throws(PhoneError) in try await store.contents() }) else { return }
        let items = contents.items.filter(isWanted)
        guard !items.isEmpty else { return }
        let chosen = items[item % items.count]
        let edit = ListEdit(item: chosen.id, action: action)
        guard
            command(phone, { store throws(PhoneError) in try await store.apply([edit], origin: .command) }) != nil
        else { return }
        tell("\(phone.name)'s owner \(verb) \(chosen.title)")
    }

    func switchList(_ phone: Phone, to list: Int) {
        let name = ["Groceries", "Weekend"][list % 2]
        guard command(phone, { store throws(PhoneError) in try await store.activate(name) }) != nil else { return }
        tell("\(phone.name)'s owner switches to \(name)")
    }
}
