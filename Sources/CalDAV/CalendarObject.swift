import Foundation

/// An iCalendar object with one to-do. Lines that do not change keep their original form.
package struct CalendarObject: Equatable, Sendable {
    /// A reason why the phone neither uses nor changes an object on the server.
    package enum Unfit: Error, Equatable, Sendable {
        /// The object has no to-do; for example, it is an event.
        case noTodo
        case recurring
        /// The object violates RFC 5545, or has more than 100,000 lines.
        case invalid
        case tooLarge
    }

    private static let mostLines = 100_000

    private var lines: [ContentLine]
    private var begin: Int
    private var end: Int

    package init(_ text: String) throws(Unfit) {
        lines = try CalendarObject.lines(of: text)
        (begin, end) = try CalendarObject.findTodo(lines)
        for place in ownPlaces {
            switch lines[place].name {
            case "RRULE", "RDATE", "EXDATE", "EXRULE", "RECURRENCE-ID": throw .recurring
            case _: break
            }
        }
        guard !uid.isEmpty else { throw .invalid }
    }

    private static func lines(of text: String) throws(Unfit) -> [ContentLine] {
        var lines: [ContentLine] = []
        var physical: [ArraySlice<UInt8>] = []
        for piece in Array(text.utf8).split(separator: 0x0A, omittingEmptySubsequences: true) {
            let piece = piece.last == 0x0D ? piece.dropLast() : piece
            if piece.isEmpty { continue }
            if piece.first == 0x20 || piece.first == 0x09, !physical.isEmpty {
                physical.append(piece)
                continue
            }
            if !physical.isEmpty { lines.append(try line(physical)) }
            physical = [piece]
            if lines.count > mostLines { throw .invalid }
        }
        if !physical.isEmpty { lines.append(try line(physical)) }
        return lines
    }

    private static func line(_ physical: [ArraySlice<UInt8>]) throws(Unfit) -> ContentLine {
        guard let line = ContentLine(physical: physical), !line.name.isEmpty else { throw .invalid }
        return line
    }

    private static func findTodo(_ lines: [ContentLine]) throws(Unfit) -> (Int, Int) {
        var open: [String] = []
        var todos: [(begin: Int, end: Int)] = []
        for (place, line) in lines.enumerated() {
            switch line.name {
            case "BEGIN":
                // Nothing may follow the end of the calendar.
                if open.isEmpty, place > 0 || line.value.uppercased() != "VCALENDAR" { throw .invalid }
                open.append(line.value.uppercased())
                if open == ["VCALENDAR", "VTODO"] { todos.append((place, place)) }
            case "END":
                guard open.last == line.value.uppercased() else { throw .invalid }
                if open == ["VCALENDAR", "VTODO"] { todos[todos.count - 1].end = place }
                open.removeLast()
            case _: if open.isEmpty { throw .invalid }
            }
        }
        guard open.isEmpty, !lines.isEmpty else { throw .invalid }
        guard let todo = todos.first else { throw .noTodo }
        // Further to-dos of the same UID are exceptions to a recurrence.
        guard todos.count == 1 else { throw .recurring }
        return todo
    }

    private var ownPlaces: [Int] {
        var depth = 0
        return (begin + 1..<end).filter { place in
            switch lines[place].name {
            case "BEGIN":
                depth += 1
                return false
            case "END":
                depth -= 1
                return false
            case _: return depth == 0
            }
        }
    }

    /// Returns the first SUMMARY in a text, even if the text is not a valid object; nil if it has no SUMMARY.
    package static func title(in text: String) -> String? {
        let lines = text.replacing("\r\n", with: "\n").replacing(/\n[ \t]/, with: "").split(separator: "\n")
        return lines.lazy.map { ContentLine(String($0)) }.first { $0.name == "SUMMARY" }
            .map { EscapedText.reading($0.value) }
    }

    /// The object as it is sent: each line ends with CRLF.
    package var text: String {
        lines.map { $0.raw.replacing("\n", with: "\r\n") + "\r\n" }.joined()
    }

    // MARK: Properties of the to-do

    private func place(of name: String) -> Int? { ownPlaces.first { lines[$0].name == name } }

    func value(_ name: String) -> String? { place(of: name).map { lines[$0].value } }

    private func time(_ name: String) -> Date? { value(name).flatMap(CalendarTime.reading) }

    package var uid: String { value("UID") ?? "" }

    package var summary: String { EscapedText.reading(value("SUMMARY") ?? "") }

    package var created: Date? { time("CREATED") }
    package var lastModified: Date? { time("LAST-MODIFIED") }

    /// The key by which to-dos are sorted, in seconds since 2001: Apple's sort order, or else the time of creation, or else 0.
    package var order: Double {
        value("X-APPLE-SORT-ORDER").flatMap(Double.init) ?? created?.timeIntervalSinceReferenceDate ?? 0
    }

    /// The state of the to-do: open, or completed at a time. A cancelled to-do counts as completed.
    package var state: TodoState {
        let time = time("COMPLETED") ?? lastModified ?? self.time("DTSTAMP") ?? Date(timeIntervalSince1970: 0)
        return switch value("STATUS")?.uppercased() {
        case "COMPLETED", "CANCELLED": .completed(at: time)
        case nil where value("COMPLETED") != nil || value("PERCENT-COMPLETE") == "100": .completed(at: time)
        case _: .open
        }
    }

    /// Sets the value of the to-do's first property with this name, and keeps its parameters. If the to-do has no such
    /// property, adds it after the other properties, but before the alarms (RFC 5545 section 3.6.2).
    mutating func set(_ name: String, to value: String) {
        if let place = place(of: name) {
            if lines[place].value != value { lines[place] = lines[place].with(value: value) }
        } else {
            let place = (begin + 1..<end).first { lines[$0].name == "BEGIN" } ?? end
            lines.insert(ContentLine("\(name):\(value)"), at: place)
            end += 1
        }
    }

    mutating func remove(_ name: String) {
        for place in ownPlaces.reversed() where lines[place].name == name {
            lines.remove(at: place)
            end -= 1
        }
    }
}

package enum TodoState: Equatable, Sendable {
    case open
    /// The to-do was completed at this time, by the clock of the device that completed it. If the time was read from a
    /// `CalendarObject`, it is in whole seconds.
    case completed(at: Date)

    package var completedAt: Date? {
        switch self {
        case .open: nil
        case .completed(let time): time
        }
    }
}

/// Reads the value types DATE and DATE-TIME, and writes DATE-TIME (RFC 5545 sections 3.3.4 and 3.3.5). Ignores time zones.
enum CalendarTime {
    private static let style = Date.ISO8601FormatStyle(
        dateSeparator: .omitted, timeSeparator: .omitted, timeZone: .gmt)

    /// Reads a time like `20261126T115700Z`, or a date like `20261126` as its midnight in UTC; nil for anything else. A time
    /// without Z counts as UTC.
    static func reading(_ value: String) -> Date? {
        let time = value.utf8.count == 8 ? value + "T000000" : value
        let whole = time.hasSuffix("Z") ? time : time + "Z"
        return whole.utf8.count == 16 ? try? Date(whole, strategy: style) : nil
    }

    /// Writes a time in UTC, rounded down to seconds.
    static func writing(_ date: Date) -> String { date.formatted(style) }
}
