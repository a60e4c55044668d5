import WatchLink

extension CalendarScenario {
    func suffer(_ fault: ComputerFault, on phone: SharingPhone) {
        switch fault {
        case .kill, .restart, .failDisk, .setClock: suffer(fault, phone)
        case .saveDatabase:
            phone.momentOfCopy = SharingPhone.Moment(
                edits: expected.edits, unsent: phone.unsent, acknowledged: acknowledged)
            suffer(fault, phone)
        case .restoreDatabase:
            guard let moment = phone.momentOfCopy else { return }
            suffer(fault, phone)
            goBack(phone, to: moment)
        }
    }

    /// Adjusts the expectations after a phone's database was restored. The owner's later edits may be lost, unless the
    /// server has them.
    private func goBack(_ phone: SharingPhone, to copy: SharingPhone.Moment) {
        var texts: [Int: [ShownItem]] = [:]
        for (_, versions) in versions.sorted(by: { $0.key < $1.key }) {
            guard let number = versions.lazy.compactMap({ self.expected.number(of: $0.title) }).first else { continue }
            texts[number, default: []] += versions.map(\.sight)
        }
        let present = Set(onServer.compactMap { expected.number(of: $0.todo.title) })
        expected.goesBack(phone.editor, after: copy.edits, texts: texts, present: present)
        phone.unsent = copy.unsent
        (phone.sending, phone.doubtful) = (SharingPhone.Unsent(), [])
        forgetAcknowledgements(of: phone, since: copy)
        // Both phones knew that these texts are older. The restored phone no longer knows.
        for item in stale.values.sorted(by: { $0.number < $1.number }) {
            for sight in item.older { expected.comeBack(sight, of: item.number) }
        }
        stale = [:]
        for row in look(phone) ?? [] {
            guard let number = expected.number(of: row.title), let item = expected.items[number] else { continue }
            if copy.unsent.states.contains(number) { expected.stateComesBack(row.sight, of: number) }
            // The phone does not know that the server had the item, or cannot tell why many items are missing. It may
            // then put the item back.
            let isOwn = item.addedBy == phone.editor && !isAcknowledged(number, in: copy.acknowledged)
            if isOwn || isServerRestored { expected.excuse(number, .back) }
            // The phone's history tells what the phone has sent of its own item. Of any other item, the phone cannot
            // tell.
            if !isOwn, copy.unsent.edits.contains(number) { phone.doubtful.insert(number) }
        }
    }

    /// Forgets the items that the server has confirmed to the phone since the copy, because the restored phone does not
    /// know of them.
    private func forgetAcknowledgements(of phone: SharingPhone, since copy: SharingPhone.Moment) {
        acknowledged = acknowledged.filter { path in
            guard !copy.acknowledged.contains(path),
                let number = versions[path]?.lazy.compactMap({ self.expected.number(of: $0.title) }).first
            else { return true }
            return expected.items[number]?.addedBy != phone.editor
        }
    }

    private func isAcknowledged(_ number: Int, in paths: Set<String>) -> Bool {
        paths.contains { path in versions[path]?.contains { expected.number(of: $0.title) == number } ?? false }
    }
}
