import DeviceModel
import Foundation
import PhoneHost
import Watch
import WatchLink

/// What owners do with their lists.
extension World {
    /// Makes an event of the plan happen that is an owner's.
    func edit(_ what: Happening) {
        switch what {
        case .add(let phone, let count): addItems(count, to: self.phone(phone))
        case .importList(let phone, let count): importItems(count, to: self.phone(phone))
        case .remove(let phone, let item):
            edit(self.phone(phone), item: item, "removes", .remove(at: date(phone))) { _ in true }
        case .check(let phone, let item):
            edit(self.phone(phone), item: item, "checks off", .check(at: date(phone))) { $0.state.isOpen }
        case .uncheck(let phone, let item):
            edit(self.phone(phone), item: item, "puts back", .uncheck(at: date(phone))) { !$0.state.isOpen }
        case .switchList(let phone, let list): switchList(self.phone(phone), to: list)
        case .undo(let phone): undo(self.phone(phone))
        case .tapAndUndo(let watch, let row, let pause):
            tap(wrist(watch), row: row)
            run(for: .milliseconds(UInt32(pause)))
            undo(phones[served])
        case .forget(let phone, let watch): forget(watch, on: self.phone(phone))
        case .retype(let phone, let item): retype(item, on: self.phone(phone))
        case .tap, .doubleTap, .flurry, .turn, .tapAndTurn, .pressCrown, .pressSide, .addPast, .leave, .sendFile,
            .serve, .noise,
            .cut,
            .deafen, .losePower, .losePowerTwice, .failFlash, .wearOutFlash, .setWatchClock, .rotFlash, .saveFlash,
            .restoreFlash, .cloneFlash, .killHost, .losePhonePower, .restartHost, .failDisk, .saveDatabase,
            .restoreDatabase, .setClock:
            break
        }
    }

    private func date(_ number: Int) -> Date { phone(number).wallClock.date }

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
        apply(action, to: items[item % items.count], of: contents, on: phone, verb)
    }

    private func apply(
        _ action: ListEdit.Action, to item: StoredItem, of contents: ListContents, on phone: Phone, _ verb: String
    ) {
        oracle.edited(item.title)
        if case .uncheck = action, contents.open.contains(where: { $0.title == item.title && $0.id != item.id }) {
            oracle.doubled(item.title)
        }
        let edit = ListEdit(item: item.id, action: action)
        guard
            command(phone, { store throws(PhoneError) in try await store.apply([edit], origin: .command) }) != nil
        else { return }
        tell("\(phone.name)'s owner \(verb) \(item.title)")
    }

    func switchList(_ phone: Phone, to list: Int) {
        let name = ["Groceries", "Weekend"][list % 2]
        guard command(phone, { store throws(PhoneError) in try await store.activate(name) }) != nil else { return }
        tell("\(phone.name)'s owner switches to \(name)")
    }

    /// Adds what is in a Markdown file, in which every third item is checked off.
    private func importItems(_ count: Int, to phone: Phone) {
        let names = (0..<count).map { _ in newTitle(for: phone) }
        let lines = names.enumerated().map { $0.offset % 3 == 2 ? "- [x] \($0.element)" : "- [ ] \($0.element)" }
        let drafts = ListImport(Array("# A list\n\n\(lines.joined(separator: "\n"))\n".utf8)).drafts
        guard command(phone, { store throws(PhoneError) in try await store.add(drafts) }) != nil else { return }
        tell("\(phone.name)'s owner imports \(names.joined(separator: ", "))")
    }

    /// Puts back what was checked off last.
    private func undo(_ phone: Phone) {
        guard let contents = command(phone, { store throws(PhoneError) in try await store.contents() }) else { return }
        let newest = contents.items.filter { !$0.state.isOpen }.max { first, second in
            (first.state.checkedAt ?? .distantPast) < (second.state.checkedAt ?? .distantPast)
        }
        guard let newest else { return }
        apply(.uncheck(at: phone.wallClock.date), to: newest, of: contents, on: phone, "undoes the check-off of")
    }

    private func forget(_ watch: Int, on phone: Phone) {
        let known = command(phone) { store throws(PhoneError) in try await store.watches() } ?? []
        guard !known.isEmpty else { return }
        let digits = String(known[watch % known.count].identity, radix: 16)
        let query = String(repeating: "0", count: 16 - digits.count) + digits
        guard command(phone, { store throws(PhoneError) in try await store.forgetWatch(query) }) != nil else { return }
        forgetting = .once
        tell("\(phone.name)'s owner has it forget watch \(query)")
    }
}
