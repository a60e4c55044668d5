@testable import DeviceModel
@testable import PhoneHost

/// Parses any text as a device profile. If the profile is refused, the error must be one line.
func fuzzProfile(_ input: FuzzInput) {
    do throws(ProfileError) {
        _ = try DeviceProfile(json5: input.text, file: "profile.json5")
    } catch {
        requireOneLine("\(error)")
    }
}

/// Parses any text as a script. If the script is refused, the error must be one line.
func fuzzScript(_ input: FuzzInput) {
    do throws(ScriptError) {
        let parser = ScriptParser(file: "script") { path throws(ScriptError.Problem) in
            throw .cannotRead(file: path, reason: "there are no files")
        }
        _ = try parser.statements(in: input.text)
    } catch {
        requireOneLine("\(error)")
    }
}

/// Imports any bytes as a list of another program. Each title must be a single line. No imported line may be lost when
/// items with the same title are joined. An export must read back as the same list.
func fuzzList(_ input: FuzzInput) {
    var input = input
    let query = String(decoding: input.bytes(limit: 20), as: UTF8.self)
    let drafts = ListImport(input.all).drafts
    let list = ListContents(
        name: "List",
        items: drafts.enumerated().map { place, draft in
            StoredItem(
                id: ItemIdentifier(rawValue: UInt32(place) + 1), rank: 0, title: draft.title.text,
                state: draft.kind == .open ? .open : .checked(at: .init(timeIntervalSince1970: 0)),
                addedAt: .init(timeIntervalSince1970: 0), detail: draft.detail)
        })
    for draft in drafts { requireOneLine(draft.title.text) }
    let joined = JoinedDraft.all(of: drafts)
    for item in joined { requireOneLine(item.draft.detail.text(behind: item.draft.title.text)) }
    precondition(joined.reduce(0) { $0 + $1.parts.count } == drafts.count, "a line is lost")
    do throws(PhoneError) {
        _ = try ItemSelector(list, preferring: .open).item(query)
    } catch {
        requireOneLine("\(error)")
    }
    let open = drafts.filter { $0.kind == .open }
    precondition(
        ListImport(ListExport.markdown.text(of: list).utf8).drafts == drafts, "an export reads as another list")
    precondition(ListImport(ListExport.plain.text(of: list).utf8).drafts == open, "an export reads as another list")
}

private func requireOneLine(_ text: String) {
    for scalar in text.unicodeScalars where scalar.value < 0x20 || scalar.value == 0x7F {
        preconditionFailure("a control character is on its way to the terminal")
    }
}
