import WatchLink

/// Copies of a phone's database, which are put away and put back.
extension AccountWorld {
    /// Puts a copy of a phone's database away, while its program does not run.
    func copyDatabase(of phone: SharingPhone) {
        withoutProgram(of: phone) {
            phone.copy = DatabaseCopy(
                image: disk.image(of: phone.phone.directory), random: phone.phone.wallClock.random,
                edits: meant.edits, unsettled: phone.unsettled, unsent: phone.unsent, acknowledged: acknowledged)
        }
        tell("a copy of \(phone.name)'s database is put away")
    }

    /// Puts the copy back. What the owner has done since is lost where the server has not got it.
    func restoreDatabase(of phone: SharingPhone) {
        guard let copy = phone.copy else { return }
        withoutProgram(of: phone) {
            disk.restore(copy.image, in: phone.phone.directory)
            if !parts.restored.isEmpty { phone.phone.write(parts.restored, on: disk) }
            switch parts.randomness {
            case .new: break
            case .ofTheCopy: phone.phone.wallClock.random = copy.random
            }
        }
        happened(.phoneRestored, "\(phone.name)'s database is put back to the copy")
        var texts: [Int: [ItemSight]] = [:]
        for (_, versions) in versions.sorted(by: { $0.key < $1.key }) {
            guard let number = versions.lazy.compactMap({ self.meant.number(of: $0.title) }).first else { continue }
            texts[number, default: []] += versions.map(\.sight)
        }
        let present = Set(onServer.compactMap { meant.number(of: $0.todo.title) })
        meant.goesBack(phone.editor, after: copy.edits, texts: texts, present: present)
        (phone.unsettled, phone.unsent) = (copy.unsettled, copy.unsent)
        (phone.syncing, phone.sending, phone.doubtful) = ([], [], [])
        forgetAcknowledgements(of: phone, since: copy)
        // What both phones knew to be older, this one does not know any more.
        for item in stale.values.sorted(by: { $0.number < $1.number }) {
            for sight in item.older { meant.comeBack(sight, of: item.number) }
        }
        stale = [:]
        for row in look(phone) ?? [] {
            guard let number = meant.number(of: row.title), let item = meant.items[number] else { continue }
            if copy.unsettled.contains(number) { meant.mayComeAgain(row.sight, of: number) }
            // It does not know that the server had the item, or cannot tell why many are missing.
            let isOwn = item.addedBy == phone.editor && !isAcknowledged(number, in: copy.acknowledged)
            if isOwn || restoration == .older { meant.excuse(number, .back) }
            // The history says what it has sent of an item that it does not know to be on the server.
            if !isOwn, copy.unsent.contains(number) { phone.doubtful.insert(number) }
        }
    }

    /// The phone knows no more of which items the server has taken since the copy.
    private func forgetAcknowledgements(of phone: SharingPhone, since copy: DatabaseCopy) {
        acknowledged = acknowledged.filter { path in
            guard !copy.acknowledged.contains(path),
                let number = versions[path]?.lazy.compactMap({ self.meant.number(of: $0.title) }).first
            else { return true }
            return meant.items[number]?.addedBy != phone.editor
        }
    }

    private func isAcknowledged(_ number: Int, in paths: Set<String>) -> Bool {
        paths.contains { path in versions[path]?.contains { meant.number(of: $0.title) == number } ?? false }
    }

    /// Ends a phone's program, if it runs, for as long as `body` takes.
    private func withoutProgram(of phone: SharingPhone, _ body: () -> Void) {
        let program = phone.program
        if let program { end(program, of: phone) }
        body()
        if program != nil { start(phone) }
    }
}
