import Watch
import WatchLink

extension ScreenDescription {
    /// Decodes what `WatchRuntime.description()` writes.
    ///
    /// A missing key leaves an empty part, an unknown key is passed over: the firmware of another version can still be
    /// described.
    ///
    /// - Throws: `.malformed` if the bytes are no CBOR map, or a part has another type.
    package init(cbor: [UInt8]) throws(DescriptionError) {
        guard case .map(let parts) = try CBORValue(cbor) else {
            throw .malformed("it is not a map")
        }
        self.init()
        for (key, value) in parts { try set(key, to: value) }
    }

    private mutating func set(_ key: UInt64, to value: CBORValue) throws(DescriptionError) {
        switch key {
        case 0: screen = try ScreenDescription.screen(value)
        case 1: title = try ScreenDescription.text(value, "the title")
        case 2: remaining = try ScreenDescription.word(value, "the remaining count")
        case 3: firstVisibleRow = Int(try ScreenDescription.word(value, "the first visible row"))
        case 4: rows = try ScreenDescription.rows(value)
        case 5: more = try ScreenDescription.word(value, "the count of further items")
        case 6: link = try ScreenDescription.link(value)
        case 7: waitingMessages = try ScreenDescription.word(value, "the count of waiting messages")
        case 8:
            synchronization = try ScreenDescription.word(value, "the synchronization") == 0 ? .pending : .synchronized
        case 9: complication = try ScreenDescription.complication(value)
        case 10: time = try ScreenDescription.text(value, "the time")
        case 11: firstDescribedRow = Int(try ScreenDescription.word(value, "the first described row"))
        case 12: pairingDigits = ScreenDescription.sixDigits(try ScreenDescription.word(value, "the pairing's number"))
        case 13:
            // A notice of a later version has no words here.
            let number = UInt8(exactly: try ScreenDescription.word(value, "the notice"))
            notice = number.flatMap(WatchNotice.init(rawValue:)) ?? .none
        case 14:
            let number = UInt8(exactly: try ScreenDescription.word(value, "the placeholder"))
            placeholder = number.flatMap(EmptyListPlaceholder.init(rawValue:)) ?? .none
        case 15: sheet = try ScreenDescription.sheet(value)
        case 16:
            let number = UInt8(exactly: try ScreenDescription.word(value, "the face"))
            face = number.flatMap(FaceStyle.init(rawValue:)) ?? .modular
        case 17: wrist = try ScreenDescription.word(value, "the wrist") == 0 ? .worn : .removed
        case 18: fullTitle = try ScreenDescription.text(value, "the full title")
        case 19: travel = try ScreenDescription.travel(value, hours)
        default: break
        }
    }

    private static func text(_ value: CBORValue, _ part: String) throws(DescriptionError) -> String {
        guard let text = value.text else { throw .malformed("\(part) is not a text") }
        return text
    }

    private static func word(_ value: CBORValue, _ part: String) throws(DescriptionError) -> UInt32 {
        guard let word = value.word else { throw .malformed("\(part) is not a number below 2^32") }
        return word
    }

    private static func screen(_ value: CBORValue) throws(DescriptionError) -> Screen {
        let name = try text(value, "the screen's name")
        guard let screen = Screen(name: name) else { throw .malformed("there is no screen '\(name)'") }
        return screen
    }

    private static func link(_ value: CBORValue) throws(DescriptionError) -> Link {
        guard let link = UInt8(exactly: try word(value, "the link")).flatMap(Link.init(rawValue:)) else {
            throw .malformed("the link is in no known state")
        }
        return link
    }

    private static func rowState(_ value: CBORValue) throws(DescriptionError) -> Row.State {
        guard let state = UInt8(exactly: try word(value, "a row's state")).flatMap(Row.State.init(rawValue:)) else {
            throw .malformed("a row is in no known state")
        }
        return state
    }

    private static func rows(_ value: CBORValue) throws(DescriptionError) -> [Row] {
        guard let items = value.items else { throw .malformed("the rows are not a list") }
        var rows: [Row] = []
        for item in items {
            guard let parts = item.items, parts.count >= 4 else {
                throw .malformed("row \(rows.count) has fewer than four parts")
            }
            rows.append(
                Row(
                    id: try word(parts[0], "a row's number"),
                    title: try text(parts[1], "a row's title"),
                    state: try rowState(parts[2]),
                    completeness: try word(parts[3], "a title's completeness") == 0 ? .whole : .cut))
        }
        return rows
    }

    private static func sheet(_ value: CBORValue) throws(DescriptionError) -> Sheet {
        guard let parts = value.items, parts.count >= 2 else {
            throw .malformed("the sheet has fewer than two parts")
        }
        var texts: [String] = []
        for part in parts { texts.append(try text(part, "a part of the sheet")) }
        return Sheet(title: texts[0], text: texts[1], buttons: Array(texts.dropFirst(2)))
    }

    private static func travel(_ value: CBORValue, _ form: ClockForm) throws(DescriptionError) -> Travel {
        guard let parts = value.items, parts.count >= 3 else {
            throw .malformed("the other time has fewer than three parts")
        }
        return Travel(
            from: LocalTime(seconds: try word(parts[0], "the present")),
            to: LocalTime(seconds: try word(parts[1], "the other time")), form, complication: try complication(parts[2])
        )
    }

    private static func complication(_ value: CBORValue) throws(DescriptionError) -> Complication {
        guard let parts = value.items, parts.count >= 2 else {
            throw .malformed("the complication has fewer than two parts")
        }
        return Complication(
            text: try text(parts[0], "the complication"),
            remaining: try word(parts[1], "the complication's count"))
    }
}

/// A CBOR item as a value of its own. Small and tolerant: what a screen description has no use for becomes `.other`.
enum CBORValue: Equatable {
    case unsigned(UInt64)
    case text(String)
    case array([CBORValue])
    /// Pairs, in the order in which they came; only those whose key is an integer from 0 on.
    case map([UInt64: CBORValue])
    case other

    /// The one item that `bytes` begin with.
    ///
    /// - Throws: `.malformed` when they are no CBOR, or nested deeper than eight levels.
    init(_ bytes: [UInt8]) throws(DescriptionError) {
        var reader = CBORReader(bytes.span)
        do throws(CBORError) {
            self = try CBORValue(from: &reader, depth: 0)
        } catch {
            throw .malformed("\(error) at byte \(reader.offset)")
        }
    }

    private init(from reader: inout CBORReader, depth: Int) throws(CBORError) {
        guard depth < 8 else { throw .tooDeep }
        switch try reader.peekKind() {
        case .unsigned: self = .unsigned(try reader.unsigned())
        case .text:
            let utf8 = try reader.text()
            self = .text(String(decoding: utf8.indices.map { utf8[$0] }, as: UTF8.self))
        case .array: self = .array(try CBORValue.items(from: &reader, depth: depth))
        case .map: self = .map(try CBORValue.pairs(from: &reader, depth: depth))
        case .negative, .bytes, .tag, .boolean, .null, .undefined, .simple, .float, .indefiniteBytes, .indefiniteText,
            .indefiniteArray, .indefiniteMap, .breakStop:
            try reader.skip()
            self = .other
        }
    }

    private static func items(from reader: inout CBORReader, depth: Int) throws(CBORError) -> [CBORValue] {
        var items: [CBORValue] = []
        for _ in 0..<(try reader.array()) { items.append(try CBORValue(from: &reader, depth: depth + 1)) }
        return items
    }

    private static func pairs(from reader: inout CBORReader, depth: Int) throws(CBORError) -> [UInt64: CBORValue] {
        var pairs: [UInt64: CBORValue] = [:]
        for _ in 0..<(try reader.map()) {
            let key = try CBORValue(from: &reader, depth: depth + 1)
            let value = try CBORValue(from: &reader, depth: depth + 1)
            if case .unsigned(let number) = key { pairs[number] = value }
        }
        return pairs
    }
}

extension CBORValue {
    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The number where it fits in 32 bits, or nil.
    var word: UInt32? {
        if case .unsigned(let number) = self { UInt32(exactly: number) } else { nil }
    }

    var items: [CBORValue]? {
        if case .array(let items) = self { items } else { nil }
    }
}

package enum DescriptionError: Error, Equatable, Sendable {
    case malformed(String)
}
