import GRDB

extension PhoneStore {
    package struct Addition: Equatable, Sendable {
        package var added: ListContents
        /// The existing open items with the same title as a draft. Each includes the draft's amount and note.
        package var present: [StoredItem]
        /// Sentences about joined items, such as `Joined "eggs, 2" + "eggs, 4" as "eggs, 6"`.
        package var remarks: [String]

        package init(added: ListContents, present: [StoredItem] = [], remarks: [String] = []) {
            self.added = added
            self.present = present
            self.remarks = remarks
        }
    }

    /// Adds each draft as a new item. If an open item already has the title, adds the draft's amount and note to that
    /// item instead. Titles that differ only in case or extra spaces count as the same.
    ///
    /// Open drafts with the same title become one item. Each checked-off draft becomes a new item. Creates the list if it
    /// is missing.
    package func addMissing(
        _ drafts: [ItemDraft], to name: String?, origin: Origin
    ) async throws(PhoneError) -> Addition {
        try await write { [dependencies] db in
            let list = try ListRecord.findOrCreate(db, name: name, dependencies)
            var known: [ItemKey: StoredItem] = [:]
            for item in try StoredItem.all(db, in: list) where item.state.isOpen {
                known[ItemKey(title: item.title)] = known[ItemKey(title: item.title)] ?? item
            }
            var (missing, present, remarks): ([ItemDraft], [StoredItem], [String]) = ([], [], [])
            for joined in JoinedDraft.all(of: drafts) {
                let draft = joined.draft
                if draft.kind == .open, var item = known[ItemKey(title: draft.title.text)] {
                    let before = item.text
                    item.detail = item.detail.adding(draft.detail)
                    let edit = ListEdit(item: item.id, action: .describe(item.detail, at: dependencies.now()))
                    _ = try ItemEdits.apply(db, edit, origin: origin, storedAt: dependencies.now())
                    present.append(item)
                    let parts = draft.detail == .none ? [] : [before] + joined.parts
                    remarks += [JoinedDraft.remark(parts, item.text)].compactMap(\.self)
                } else {
                    missing.append(draft)
                    let text = draft.detail.text(behind: draft.title.text)
                    remarks += [JoinedDraft.remark(joined.parts, text)].compactMap(\.self)
                }
            }
            let items = try StoredItem.append(db, missing, to: list, origin: origin, dependencies)
            return Addition(added: ListContents(name: list.name, items: items), present: present, remarks: remarks)
        }
    }

    /// Returns the titles of items that were once checked off on a list, and are not open on it now. The item that the
    /// owner most likely wants again is first.
    ///
    /// - Parameter most: the maximum number of titles.
    package func pastItems(of name: String? = nil, most: Int) async throws(PhoneError) -> [String] {
        try await read { [dependencies] db in
            let list = try ListRecord.find(db, name: name)
            let open = try StoredItem.all(db, in: list).filter(\.state.isOpen)
            return PastItems.likeliest(
                of: try PastItemTable.purchases(db, of: list, dependencies), notIn: open.map(\.title),
                at: dependencies.localSeconds(dependencies.now()), most: most)
        }
    }

    /// Returns the past items that watches offer to add again, and how often each was bought. A watch that does not
    /// have these items yet gets them when it next connects.
    package func offeredPastItems() async throws(PhoneError) -> PastItems.Offer {
        try await read { [dependencies] db in
            let present = try FeedStore.PresentList(db)
            // `publish` writes to the database. A read transaction ends with a rollback, which undoes these writes.
            _ = try PastItemTable.publish(db, present, dependencies)
            let rows = PastFeed(payload: try LatestStore.published(db, .past) ?? []).rows
            let known = PastItems.known(by: try PastItemTable.purchases(db, of: present.list, dependencies))
            return PastItems.Offer(
                list: present.list.name, time: dependencies.localSeconds(dependencies.now()),
                items: try rows.compactMap { row in
                    try PastItemTable.offer(db, of: row.id).flatMap { known[ItemKey(title: $0.title)] }
                })
        }
    }
}
