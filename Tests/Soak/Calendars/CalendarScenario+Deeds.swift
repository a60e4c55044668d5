import CalDAV
import Foundation
import PhoneHost
import TestDoubles
import WatchLink

extension CalendarScenario {
    func happen(_ event: CalendarEvent) {
        switch event {
        case .add(let editor, let count):
            for _ in 0..<min(count, 20) {
                let number = newNumber()
                switch phone(editor) {
                case let phone?: add(number, on: phone)
                case nil: addByOther(number)
                }
            }
        case .check(let editor, let pick, let ago): edit(editor, pick, .check(ago: ago))
        case .uncheck(let editor, let pick): edit(editor, pick, .uncheck)
        case .rename(let editor, let pick): edit(editor, pick, .rename)
        case .remove(let editor, let pick): edit(editor, pick, .remove)
        case .sync(let number): sync(phone(number))
        case .part(let number, let milliseconds):
            phone(number).awayUntil = now + Microseconds(milliseconds: milliseconds)
            happened(.serverAway, "\(phone(number).name) has no connection for \(milliseconds) ms")
        case .answer(let fault, let method): troubles.append((fault, method))
        case .delay(let milliseconds):
            delay = Microseconds(milliseconds: milliseconds)
            happened(.serverSlow, "requests take \(milliseconds) ms in each direction")
        case .forgetTokens:
            server.forgetTokens()
            looksRestored.refusesTokens = true
            excuseWhatLooksRestored()
            happened(.tokenRefused, "the server forgets its tokens")
        case .copy:
            copy = server.items
            tell("the server is copied: \(server.items.count) items")
        case .restore: restoreServer()
        case .overwrite(let pick): overwrite(pick)
        case .hide(let milliseconds):
            guard hiddenUntil == nil else { return }
            hiddenUntil = now + Microseconds(milliseconds: milliseconds)
            server.removeCollection()
            happened(.collectionGone, "the collection is gone for \(milliseconds) ms")
        case .computer(let number, let fault): suffer(fault, on: phone(number))
        }
    }

    private enum Deed {
        case check(ago: Int), uncheck, rename, remove

        func fits(_ sight: ShownItem) -> Bool {
            switch self {
            case .check: sight.checkedAt == nil
            case .uncheck: sight.checkedAt != nil
            case .rename, .remove: true
            }
        }
    }

    private func phone(_ editor: ListEditor) -> SharingPhone? { editor.phone.map { phones[$0] } }

    private func phone(_ number: Int) -> SharingPhone { phones[number % phones.count] }

    private func edit(_ editor: ListEditor, _ pick: Int, _ deed: Deed) {
        switch phone(editor) {
        case let phone?: edit(on: phone, pick, deed)
        case nil: editByOther(pick, deed)
        }
    }

    // MARK: On a phone

    func rows(of phone: SharingPhone) -> [StoredItem]? {
        guard let program = phone.program, program.process.isRunning else { return nil }
        let store = program.store
        let rows: [StoredItem]?? = executor.result {
            (try? await store.contents(of: SharingPhone.list))?.items.sorted { $0.title < $1.title }
        }
        return rows ?? nil
    }

    @discardableResult
    func look(_ phone: SharingPhone) -> [StoredItem]? {
        guard let rows = rows(of: phone) else { return nil }
        fail(expected.see(rows.map(\.sight), by: phone.editor))
        return rows
    }

    private func add(_ number: Int, on phone: SharingPhone) {
        guard let program = phone.program, let title = try? CleanTitle("Item \(number)") else { return }
        let store = program.store
        let isStored: Bool? = executor.result {
            (try? await store.add([ItemDraft(title: title)], to: SharingPhone.list)) != nil
        }
        expected.add(number, title: title.text, by: phone.editor, isStored == true ? .certain : .unknown)
        tell("\(phone.name) adds \(title.text)")
        look(phone)
    }

    private func edit(on phone: SharingPhone, _ pick: Int, _ deed: Deed) {
        let fitting = look(phone)?.filter { deed.fits($0.sight) } ?? []
        guard !fitting.isEmpty, let program = phone.program else { return }
        let row = fitting[pick % fitting.count]
        guard let number = expected.number(of: row.title) else { return }
        let now = phone.wallClock.date
        phone.unsent.edits.insert(number)
        if phone.doubtful.contains(number) { expected.excuse(number, .doubtful) }
        switch deed {
        case .check(let ago):
            let second = newSecond(Int64(now.timeIntervalSince1970) - Int64(ago))
            let time = Date(timeIntervalSince1970: Double(second) + 0.25)
            let certainty = weighed(apply(.check(at: time), to: row, program), number, by: phone)
            expected.check(number, at: second, by: phone.editor, certainty)
            tell("\(phone.name) checks off \(row.title), at \(second)")
        case .uncheck:
            let certainty = weighed(apply(.uncheck(at: now), to: row, program), number, by: phone)
            expected.uncheck(number, from: row.sight.checkedAt ?? 0, by: phone.editor, certainty)
            tell("\(phone.name) opens \(row.title)")
        case .rename:
            guard let title = try? CleanTitle("Item \(number)-\(newNumber())") else { return }
            let certainty = apply(.rename(to: title, at: now), to: row, program)
            expected.rename(number, from: row.title, to: title.text, by: phone.editor, certainty)
            tell("\(phone.name) renames \(row.title) to \(title.text)")
        case .remove:
            expected.remove(number, by: phone.editor, apply(.remove(at: now), to: row, program))
            tell("\(phone.name) removes \(row.title)")
        }
        noteEdit(of: number, on: phone)
    }

    /// Returns `certainty`, or `.unknown` if another phone has edited the item's state without the server's
    /// confirmation. That phone cannot tell which edit came later, so the new edit may not count. Adds the item to the
    /// unconfirmed items of `phone`.
    private func weighed(
        _ certainty: ExpectedItem.Certainty, _ number: Int, by phone: SharingPhone?
    ) -> ExpectedItem.Certainty {
        let isSettled = phones.allSatisfy { $0 === phone || !$0.unsent.states.contains(number) }
        phone?.unsent.states.insert(number)
        return isSettled ? certainty : .unknown
    }

    private func apply(
        _ action: ListEdit.Action, to row: StoredItem, _ program: SyncProgram
    ) -> ExpectedItem.Certainty {
        let (store, edit) = (program.store, ListEdit(item: row.id, action: action))
        let isStored: Bool? = executor.result { (try? await store.apply(edit, origin: .command)) != nil }
        return isStored == true ? .certain : .unknown
    }

    // MARK: By another program, on the server

    var onServer: [(path: String, todo: ForeignTodo)] {
        server.items.sorted { $0.key < $1.key }.map { ($0.key, ForeignTodo($0.value.text)) }
    }

    private func addByOther(_ number: Int) {
        let title = "Item \(number)"
        let todo = ForeignTodo(uid: "other-\(number)", title: title, modified: otherClock)
        server.put(todo.text, at: InMemoryCalendarServer.path + "other-\(number).ics")
        noteVersions()
        expected.add(number, title: title, by: .other, .certain)
        tell("another program adds \(title)")
    }

    private func editByOther(_ pick: Int, _ deed: Deed) {
        guard hiddenUntil == nil else { return }
        let items = onServer
        fail(expected.see(items.map(\.todo.sight), by: .other))
        let fitting = items.filter { deed.fits($0.todo.sight) }
        guard !fitting.isEmpty else { return }
        var (path, todo) = fitting[pick % fitting.count]
        let before = todo.sight
        guard let number = expected.number(of: before.title) else { return }
        switch deed {
        case .check(let ago):
            let second = newSecond(otherClock - Int64(ago))
            todo.check(at: second, modified: otherClock)
            expected.check(number, at: second, by: .other, weighed(.certain, number, by: nil))
            tell("another program checks off \(before.title), at \(second)")
        case .uncheck:
            todo.check(at: nil, modified: otherClock)
            // A phone ignores a reopening that is older than the check-off: the program cannot have known of that
            // check-off.
            let isPlain = otherClock >= before.checkedAt ?? 0
            expected.uncheck(
                number, from: before.checkedAt ?? 0, by: .other,
                weighed(isPlain ? .certain : .unknown, number, by: nil))
            tell("another program opens \(before.title)")
        case .rename:
            let title = "Item \(number)-\(newNumber())"
            todo.rename(to: title, modified: otherClock)
            expected.rename(number, from: before.title, to: title, by: .other, .certain)
            tell("another program renames \(before.title) to \(title)")
        case .remove:
            expected.remove(number, by: .other, .certain)
            excuseRemoval(at: path)
            server.delete(path)
            return tell("another program removes \(before.title)")
        }
        server.put(todo.text, at: path)
        noteVersions()
    }
}

extension StoredItem {
    var sight: ShownItem {
        ShownItem(title: title, checkedAt: state.checkedAt.map { Int64($0.timeIntervalSince1970.rounded(.down)) })
    }
}
