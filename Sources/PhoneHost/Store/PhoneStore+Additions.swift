import GRDB

extension PhoneStore {
    package struct Addition: Equatable, Sendable {
        package var added: ListContents
        /// The items that were open already under a draft's title, each once. They now have the draft's amount and note.
        package var present: [StoredItem]
        /// A sentence about each item that was joined with another.
        package var remarks: [String]

        package init(added: ListContents, present: [StoredItem] = [], remarks: [String] = []) {
            self.added = added
            self.present = present
            self.remarks = remarks
        }
    }

    /// Adds each draft, unless an open item has the same title; case and spaces do not matter. That item then gets the draft's
    /// amount and note. Drafts with the same title become one item. Checked-off drafts are always added.
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

    /// The titles that were once checked off on a list and are not open on it now, likeliest first.
    package func pastItems(of name: String? = nil, most: Int) async throws(PhoneError) -> [String] {
        try await read { [dependencies] db in
            let list = try ListRecord.find(db, name: name)
            let open = try StoredItem.all(db, in: list).filter(\.state.isOpen)
            return PastItems.likeliest(
                of: try PastItemTable.purchases(db, of: list, dependencies), notIn: open.map(\.title),
                at: dependencies.localSeconds(dependencies.now()), most: most)
        }
    }

    /// The past items that watches offer, and how often each was bought. The watches have this offer, or get it when they next
    /// connect.
    package func offeredPastItems() async throws(PhoneError) -> PastItems.Offer {
        try await read { [dependencies] db in
            let present = try FeedStore.PresentList(db)
            // This is a read transaction, so its end undoes what this call writes.
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
