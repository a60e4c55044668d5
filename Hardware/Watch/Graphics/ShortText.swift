import WatchLink

/// A text of at most 48 bytes of UTF-8. `append` drops the characters that do not fit completely. Functions with many
/// callers are not inlined, because flash is scarcer than time here.
public struct ShortText: Sendable, BitwiseCopyable {
    private var storage: InlineArray<48, UInt8>
    private var length = 0

    /// Makes an empty text.
    public init() {
        storage = InlineArray(repeating: 0)
    }

    /// Makes a text from a number in decimal.
    public init(_ number: UInt32) {
        self.init()
        append(number)
    }

    package var utf8: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { storage.span.extracting(first: length) }
    }

    /// Appends a text.
    @inline(never)
    public mutating func append(_ text: StaticString) {
        append(text.utf8)
    }

    /// Appends another text.
    public mutating func append(_ text: ShortText) {
        append(text.utf8)
    }

    @inline(never)
    mutating func append(_ text: Span<UInt8>) {
        for index in 0..<text.scalarBoundary(upTo: 48 - length) {
            storage[length] = text[index]
            length += 1
        }
    }

    /// Appends a number in decimal, with leading zeros to fill `digits` digits.
    @inline(never)
    public mutating func append(_ number: UInt32, digits: Int = 1) {
        var divisor: UInt32 = 1
        var count = 1
        while count < digits || number / divisor >= 10 {
            guard divisor <= 100_000_000 else { break }
            divisor *= 10
            count += 1
        }
        while divisor > 0 {
            append(digit: number / divisor % 10)
            divisor /= 10
        }
    }

    private mutating func append(digit: UInt32) {
        guard length < 48 else { return }
        storage[length] = 0x30 + UInt8(truncatingIfNeeded: digit)
        length += 1
    }

    /// Appends a date like "Thu 20 Nov".
    mutating func append(date fields: CalendarFields) {
        append(fields.weekdayName.utf8.extracting(first: 3))
        append(" ")
        appendDayAndMonth(fields)
    }

    /// Appends a date like "20 Nov".
    @inline(never)
    mutating func appendDayAndMonth(_ fields: CalendarFields) {
        append(UInt32(truncatingIfNeeded: fields.day))
        append(" ")
        append(fields.monthName)
    }

    /// Appends " AM" or " PM"; nothing for nil.
    mutating func append(half: StaticString?) {
        guard let half else { return }
        append(" ")
        append(half)
    }

    /// Appends "just now", "5 hours ago" or "3 days ago". From 48 hours on, it counts in days.
    mutating func append(secondsAgo seconds: UInt32) {
        let hours = seconds / 3_600
        guard hours > 0 else {
            append("just now")
            return
        }
        append(hours < 48 ? hours : hours / 24)
        append(hours == 1 ? " hour ago" : hours < 48 ? " hours ago" : " days ago")
    }

    /// Appends "5h" or "3d", at most "999d".
    mutating func append(brieflySecondsAgo seconds: UInt32) {
        let hours = seconds / 3_600
        append(hours < 48 ? hours : min(hours / 24, 999))
        append(hours < 48 ? "h" : "d")
    }

    /// Appends how far time travel has moved the shown time, like "+45 min", "-2 h", "+1 h 30" or "+1 d 2 h".
    @inline(never)
    mutating func append(travelled minutes: Int32) {
        append(minutes < 0 ? "-" : "+")
        let all = minutes.magnitude
        let days = all / 1_440
        let hours = all / 60 % 24
        if days > 0 {
            append(days)
            append(" d")
        }
        if hours > 0 {
            append(days > 0 ? " " : "")
            append(hours)
            append(" h")
        }
        guard days == 0, all % 60 > 0 || hours == 0 else { return }
        append(hours > 0 ? " " : "")
        append(all % 60, digits: hours > 0 ? 2 : 1)
        append(hours > 0 ? "" : " min")
    }
}
