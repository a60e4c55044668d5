import DeviceModel
import Foundation
import PhoneHost
import Watch
import WatchLink

extension WatchScenario {
    func command<Value: Sendable>(
        _ phone: PhoneComputer, _ body: @escaping @Sendable (PhoneStore) async throws(PhoneError) -> Value
    ) -> Value? {
        guard let store = phone.database(on: disk) else { return nil }
        var result: Result<Value, PhoneError>?
        let change = { [executor] in
            result = executor.result {
                do throws(PhoneError) { return .success(try await body(store)) } catch { return .failure(error) }
            }
        }
        change()
        if parts.hearsOfCommands { phone.program?.databaseChanged() }
        settle()
        switch result {
        case .success(let value): return value
        case .failure, nil: return nil
        }
    }

    func addItems(_ count: Int, to phone: PhoneComputer) {
        let names = (0..<count).map { _ in newTitle(for: phone) }
        let drafts = names.compactMap { try? CleanTitle($0) }.map { ItemDraft(title: $0) }
        guard command(phone, { store throws(PhoneError) in try await store.add(drafts) }) != nil else { return }
        tell("\(phone.name)'s owner adds \(names.joined(separator: ", "))")
    }

    func edit(
        _ phone: PhoneComputer, item: Int, _ verb: String, _ action: (Date) -> ListEdit.Action,
        on isWanted: (StoredItem) -> Bool
    ) {
        guard let contents = command(phone, { store throws(PhoneError) in try await store.contents() }) else { return }
        let items = contents.items.filter(isWanted)
        guard !items.isEmpty else { return }
        apply(action(phone.wallClock.date), to: items[item % items.count], of: contents, on: phone, verb)
    }

    private func apply(
        _ action: ListEdit.Action, to item: StoredItem, of contents: ListContents, on phone: PhoneComputer,
        _ verb: String
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

    func switchList(_ phone: PhoneComputer, to list: Int) {
        let name = ["Groceries", "Weekend"][list % 2]
        guard command(phone, { store throws(PhoneError) in try await store.activate(name) }) != nil else { return }
        tell("\(phone.name)'s owner switches to \(name)")
    }

    func importItems(_ count: Int, to phone: PhoneComputer) {
        let names = (0..<count).map { _ in newTitle(for: phone) }
        let lines = names.enumerated().map { $0.offset % 3 == 2 ? "- [x] \($0.element)" : "- [ ] \($0.element)" }
        let drafts = ListImport(Array("# A list\n\n\(lines.joined(separator: "\n"))\n".utf8)).drafts
        guard command(phone, { store throws(PhoneError) in try await store.add(drafts) }) != nil else { return }
        tell("\(phone.name)'s owner imports \(names.joined(separator: ", "))")
    }

    func undo(_ phone: PhoneComputer) {
        guard let contents = command(phone, { store throws(PhoneError) in try await store.contents() }) else { return }
        let newest = contents.items.filter { !$0.state.isOpen }.max { first, second in
            (first.state.checkedAt ?? .distantPast) < (second.state.checkedAt ?? .distantPast)
        }
        guard let newest else { return }
        apply(.uncheck(at: phone.wallClock.date), to: newest, of: contents, on: phone, "undoes the check-off of")
    }

    func history(of phone: PhoneComputer) -> [HistoryEntry] {
        command(phone) { store throws(PhoneError) in try await store.history() } ?? []
    }

    func contents(of phone: PhoneComputer) -> DatabaseContents? {
        command(phone) { store throws(PhoneError) in try await DatabaseContents(store) }
    }

    func histories() -> [[HistoryEntry]] { phones.map { history(of: $0) } }

    func forget(_ watch: Int, on phone: PhoneComputer) {
        let known = command(phone) { store throws(PhoneError) in try await store.watches() } ?? []
        guard !known.isEmpty else { return }
        let digits = String(known[watch % known.count].identity, radix: 16)
        let query = String(repeating: "0", count: 16 - digits.count) + digits
        guard command(phone, { store throws(PhoneError) in try await store.forgetWatch(query) }) != nil else { return }
        hasForgottenWatch = true
        tell("\(phone.name)'s owner has it forget watch \(query)")
    }
}
