import Foundation

/// A to-do as the third program reads and writes it. Its rules are simpler than Tapline's own, and independent of them.
struct ForeignTodo {
    private var lines: [String]

    /// A property that only the third program writes. Tapline must not remove it.
    static let ownLine = "X-SHELF:7"

    init(_ text: String) {
        lines = text.split { $0 == "\r\n" || $0 == "\n" }.map(String.init)
    }

    init(uid: String, title: String, modified: Int64) {
        lines = [
            "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Another//EN", "BEGIN:VTODO", "UID:\(uid)",
            "DTSTAMP:\(ForeignTodo.text(modified))", "SUMMARY:\(title)", ForeignTodo.ownLine,
            "LAST-MODIFIED:\(ForeignTodo.text(modified))", "END:VTODO", "END:VCALENDAR",
        ]
    }

    var text: String { lines.map { $0 + "\r\n" }.joined() }
    var title: String { value("SUMMARY") ?? "" }
    var hasOwnLine: Bool { lines.contains(ForeignTodo.ownLine) }
    /// The time of the last edit, in seconds since 1970; nil if the text has none.
    var modified: Int64? { value("LAST-MODIFIED").flatMap(ForeignTodo.seconds) }

    var checkedAt: Int64? {
        value("STATUS") == "COMPLETED" ? value("COMPLETED").flatMap(ForeignTodo.seconds) ?? 0 : nil
    }

    var sight: ShownItem { ShownItem(title: title, checkedAt: checkedAt) }

    mutating func rename(to title: String, modified: Int64) {
        set("SUMMARY", title)
        set("LAST-MODIFIED", ForeignTodo.text(modified))
    }

    /// - Parameter second: the time of the check-off, in seconds since 1970; nil reopens the to-do.
    mutating func check(at second: Int64?, modified: Int64) {
        set("STATUS", second == nil ? "NEEDS-ACTION" : "COMPLETED")
        set("COMPLETED", second.map(ForeignTodo.text))
        set("PERCENT-COMPLETE", second == nil ? nil : "100")
        set("LAST-MODIFIED", ForeignTodo.text(modified))
    }

    private func value(_ name: String) -> String? {
        lines.first { $0.hasPrefix(name + ":") }.map { String($0.dropFirst(name.count + 1)) }
    }

    private mutating func set(_ name: String, _ value: String?) {
        let place = lines.firstIndex { $0.hasPrefix(name + ":") }
        switch (place, value) {
        case (let place?, let value?): lines[place] = "\(name):\(value)"
        case (let place?, nil): lines.remove(at: place)
        case (nil, let value?): lines.insert("\(name):\(value)", at: lines.count - 2)
        case (nil, nil): break
        }
    }

    // MARK: Times

    private static let style = Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted)

    private static func text(_ second: Int64) -> String {
        Date(timeIntervalSince1970: Double(second)).formatted(style)
    }

    private static func seconds(_ text: String) -> Int64? {
        (try? Date(text, strategy: style)).map { Int64($0.timeIntervalSince1970) }
    }
}
