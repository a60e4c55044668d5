import Watch
import WatchLink

extension ScreenDescription {
    /// Decodes the map that `WatchRuntime.description()` encodes. So that descriptions of other firmware versions can be
    /// decoded, a missing key leaves its property at the default, and unknown keys are skipped.
    package init(cbor: Span<UInt8>) throws(CBORError) {
        self.init()
        var reader = CBORReader(cbor)
        for _ in 0..<(try reader.map()) {
            if try reader.peekKind() == .unsigned {
                try read(key: try reader.unsigned(), from: &reader)
            } else {
                try reader.skip()
                try reader.skip()
            }
        }
    }

    private mutating func read(key: UInt64, from reader: inout CBORReader) throws(CBORError) {
        switch key {
        case 0:
            guard let named = Screen(name: try ScreenDescription.text(&reader)) else { throw .malformed }
            screen = named
        case 1: title = try ScreenDescription.text(&reader)
        case 2: remaining = try reader.word()
        case 3: firstVisibleRow = Int(try reader.word())
        case 4:
            rows = []
            for _ in 0..<(try reader.array()) { rows.append(try ScreenDescription.row(&reader)) }
        case 5: more = try reader.word()
        case 6:
            guard let known = try ScreenDescription.value(&reader, Link.init(rawValue:)) else { throw .malformed }
            link = known
        case 7: waitingMessages = try reader.word()
        case 8: isSynchronized = try reader.word() != 0
        case 9: complication = try ScreenDescription.complication(&reader)
        case 10: time = try ScreenDescription.text(&reader)
        case 11: firstDescribedRow = Int(try reader.word())
        case 12: pairingDigits = ScreenDescription.sixDigits(try reader.word())
        // A later version may send notices, placeholders and faces that this version does not know.
        case 13: notice = try ScreenDescription.value(&reader, StatusNotice.init(rawValue:)) ?? .none
        case 14: placeholder = try ScreenDescription.value(&reader, EmptyListPlaceholder.init(rawValue:)) ?? .none
        case 15: sheet = try ScreenDescription.sheet(&reader)
        case 16: face = try ScreenDescription.value(&reader, FaceStyle.init(rawValue:)) ?? .modular
        case 17: wrist = try reader.word() == 0 ? .worn : .removed
        case 18: fullTitle = try ScreenDescription.row(&reader).displayTitle
        // The key of `time` is smaller, so `time` is already decoded. It tells whether the clock has 12 or 24 hours.
        case 19: travel = try ScreenDescription.travel(&reader, hours)
        case 20: signs = ShownSigns(bits: UInt8(truncatingIfNeeded: try reader.word()))
        default: try reader.skip()
        }
    }

    private static func text(_ reader: inout CBORReader) throws(CBORError) -> String {
        String(try reader.text())
    }

    private static func value<Value>(
        _ reader: inout CBORReader, _ make: (UInt8) -> Value?
    ) throws(CBORError) -> Value? {
        UInt8(exactly: try reader.word()).flatMap(make)
    }

    /// Reads the head of an array. Returns the number of values after the first `least` values. Throws `.malformed` if
    /// the array has fewer than `least` values.
    private static func parts(_ reader: inout CBORReader, atLeast least: Int) throws(CBORError) -> Int {
        let count = try reader.array()
        guard count >= least else { throw .malformed }
        return count - least
    }

    private static func row(_ reader: inout CBORReader) throws(CBORError) -> Row {
        let more = try parts(&reader, atLeast: 4)
        let (id, title) = (try reader.word(), try text(&reader))
        guard let state = try value(&reader, Row.State.init(rawValue:)) else { throw .malformed }
        let completeness: Row.Completeness = try reader.word() == 0 ? .whole : .cut
        for _ in 0..<more { try reader.skip() }
        return Row(id: id, title: title, state: state, completeness: completeness)
    }

    private static func sheet(_ reader: inout CBORReader) throws(CBORError) -> Sheet {
        let more = try parts(&reader, atLeast: 2)
        var sheet = Sheet(title: try text(&reader), text: try text(&reader))
        for _ in 0..<more { sheet.buttons.append(try text(&reader)) }
        return sheet
    }

    private static func travel(_ reader: inout CBORReader, _ form: ClockForm) throws(CBORError) -> Travel {
        let more = try parts(&reader, atLeast: 3)
        let (now, then) = (try reader.word(), try reader.word())
        let travel = Travel(
            minutes: (Int(then) - Int(now)) / 60, time: hoursAndMinutes(LocalTime(seconds: then), form),
            complication: try complication(&reader))
        for _ in 0..<more { try reader.skip() }
        return travel
    }

    private static func complication(_ reader: inout CBORReader) throws(CBORError) -> Complication {
        let more = try parts(&reader, atLeast: 1)
        let complication = Complication(text: try text(&reader), remaining: more > 0 ? try reader.word() : nil)
        for _ in 1..<max(1, more) { try reader.skip() }
        return complication
    }
}
