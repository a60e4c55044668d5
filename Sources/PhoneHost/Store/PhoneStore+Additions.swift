import GRDB
import ListFeed

extension PhoneStore {
    /// What became of items that were to be added.
    package struct Addition: Equatable, Sendable {
        /// The list's name, and the items that were added.
        package var added: ListContents
        /// The open items that were on the list before, each once, as they are now.
        package var present: [StoredItem]
        /// Sentences about what was joined.
        package var remarks: [String]

        package init(added: ListContents, present: [StoredItem] = [], remarks: [String] = []) {
            self.added = added
            self.present = present
            self.remarks = remarks
        }
    }

    /// Adds those of `drafts` whose title is not on the list, open, whatever its case and spaces, and those that are checked off already.
    /// Drafts of one title are joined, and the amount and note of a draft to those of an item that is there.
    ///
    /// - Throws: as `add`.
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

    /// The titles that were checked off on the list of this name, or the active one, and are not on it: the likeliest first.
    package func pastItems(of name: String? = nil, most: Int) async throws(PhoneError) -> [String] {
        try await read { [dependencies] db in
            let list = try ListRecord.find(db, name: name)
            let open = try StoredItem.all(db, in: list).filter(\.state.isOpen)
            return PastItems.likeliest(
                of: try PastItemTable.purchases(db, of: list, dependencies), notIn: open.map(\.title),
                at: dependencies.localSeconds(dependencies.now()), most: most)
        }
    }

    /// What the watches offer of past items, and why: what they have, or get when they connect next.
    package func offeredPastItems() async throws(PhoneError) -> PastItems.Offer {
        try await read { [dependencies] db in
            let present = try FeedStore.PresentList(db)
            // The end of this transaction undoes it.
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
