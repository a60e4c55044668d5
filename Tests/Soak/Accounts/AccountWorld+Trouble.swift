import CalDAVTesting
import WatchLink

/// What goes wrong.
extension AccountWorld {
    func disturb(_ what: AccountHappening) {
        switch what {
        case .part(let phone, let milliseconds):
            phones[phone].awayUntil = now + .milliseconds(UInt32(clamping: milliseconds))
            happened(.serverAway, "\(phones[phone].name) has no connection for \(milliseconds) ms")
        case .answer(let fault, let kind): troubles.append((fault, kind))
        case .delay(let milliseconds):
            delay = .milliseconds(UInt32(clamping: milliseconds))
            happened(.serverSlow, "requests take \(milliseconds) ms in each direction")
        case .forgetTokens:
            server.forgetTokens()
            happened(.tokenRefused, "the server forgets its tokens")
        case .copy:
            copy = server.items
            tell("the server is copied: \(server.items.count) items")
        case .restore: restore()
        case .overwrite(let pick): overwrite(pick)
        case .hide(let milliseconds):
            guard hiddenUntil == nil else { return }
            hiddenUntil = now + .milliseconds(UInt32(clamping: milliseconds))
            server.removeCollection()
            happened(.collectionGone, "the collection is gone for \(milliseconds) ms")
        case .kill, .failDisk, .setClock: breakPhone(what)
        case .copyPhone(let phone): copyDatabase(of: phones[phone])
        case .restorePhone(let phone): restoreDatabase(of: phones[phone])
        case .add, .check, .uncheck, .rename, .remove, .sync: break
        }
    }

    func happened(_ fault: SharingFault, _ text: @autoclosure () -> String) {
        count(fault)
        tell(text())
    }

    private func breakPhone(_ what: AccountHappening) {
        switch what {
        case .kill(let number, let writes, let milliseconds, let loss):
            guard let process = phones[number].program?.process else { return }
            phones[number].outage = (loss, milliseconds)
            if let writes { process.fate = .killed(after: writes) } else { process.kill() }
        case .failDisk(let number, let writes, let count):
            phones[number].program?.process.fate = .failing(.failing, after: writes, count: count)
        case .setClock(let number, let seconds):
            phones[number].phone.wallClock.shift(by: seconds)
            happened(.accountClockJump, "\(phones[number].name)'s clock is set by \(seconds) s")
        case .add, .check, .uncheck, .rename, .remove, .sync, .part, .answer, .delay, .forgetTokens, .copy, .restore,
            .overwrite, .hide, .copyPhone, .restorePhone:
            break
        }
    }

    /// The third program writes the text before last of an item over it.
    private func overwrite(_ pick: Int) {
        let items = onServer.filter { versions[$0.path, default: []].count > 1 }
        guard hiddenUntil == nil, !items.isEmpty else { return }
        let (path, todo) = items[pick % items.count]
        guard let old = versions[path]?.dropLast().last, let number = meant.number(of: todo.title) else { return }
        server.put(old.text, at: path)
        noteVersions()
        happened(.itemOverwritten, "another program writes an older text over \(todo.title): \(old.title)")
        excuse(number, path, old, over: todo)
    }

    /// What may follow where an older text is in the place of a newer one, which some phone may not have seen.
    private func excuse(_ number: Int, _ path: String, _ old: ForeignTodo, over todo: ForeignTodo) {
        meant.excuse(number, .mixed)
        // A check-off that both phones have stays where the older text is from before it, until somebody edits that.
        if let second = todo.checkedAt, old.checkedAt == nil, let modified = old.modified, modified < second,
            phones.allSatisfy({ rows(of: $0)?.contains { $0.sight.checkedAt == second } == true })
        {
            stale[path] = StaleItem(number: number, newest: todo.sight, older: [old.sight])
            meant.comeBack(ItemSight(title: old.title, checkedAt: second), of: number)
        } else {
            for sight in [todo.sight, old.sight] { meant.comeBack(sight, of: number) }
        }
    }

    /// An item has another text. Where that is made of an older one, the older values may stay.
    func noteEdit(at path: String, _ todo: ForeignTodo) {
        guard let item = stale.removeValue(forKey: path) else { return }
        let titles = [item.newest.title] + item.older.map(\.title)
        if todo.checkedAt == item.newest.checkedAt, titles.contains(todo.title) { return }
        for sight in item.older { meant.comeBack(sight, of: item.number) }
    }

    private func restore() {
        guard let copy, hiddenUntil == nil else { return }
        let before = server.items
        restoration = .older
        happened(.serverRestored, "the copy is put back: \(copy.count) items")
        for (path, item) in copy.sorted(by: { $0.key < $1.key }) where before[path]?.text != item.text {
            let old = ForeignTodo(item.text)
            guard let number = meant.number(of: old.title) else { continue }
            meant.excuse(number, .mixed)
            let texts = versions[path, default: []]
            let since = texts[(texts.lastIndex { $0.text == old.text } ?? 0)...].map(\.sight)
            if let todo = before[path].map({ ForeignTodo($0.text) }), isKnown(todo, old, number), since.count <= 8 {
                stale[path] = StaleItem(number: number, newest: todo.sight, older: since)
            } else {
                for sight in since { meant.comeBack(sight, of: number) }
            }
        }
        let inCopy = Set(copy.values.compactMap { meant.number(of: ForeignTodo($0.text).title) })
        for number in meant.items.keys {
            meant.excuse(number, .back)
            if !inCopy.contains(number) { meant.excuse(number, .lost) }
        }
        let known = stale
        server.restore(copy)
        noteVersions()
        stale = known
    }

    /// Whether both phones have what the server had of an item, and can tell that it is newer than what the copy has.
    private func isKnown(_ todo: ForeignTodo, _ old: ForeignTodo, _ number: Int) -> Bool {
        guard let modified = todo.modified, let before = old.modified, before < modified else { return false }
        return phones.allSatisfy { phone in
            guard phone.program?.sync == nil, meant.hasSeen(old.sight, of: number, phone.editor) else { return false }
            return rows(of: phone)?.contains { $0.sight == todo.sight } == true
        }
    }

    /// Ends every fault.
    func heal() {
        tell("the faults are over")
        troubles = []
        delay = .milliseconds(40)
        show()
        for phone in phones {
            phone.awayUntil = nil
            phone.program?.process.fate = .none
        }
    }
}
