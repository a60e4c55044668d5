import ArgumentParser
import CommandSupport
import Foundation
import HostSystem
import PhoneHost

struct ComplicationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "complication",
        abstract: "Print what the watch's face shows, and add notes to it.",
        discussion: """
            The complication shows the most relevant of these: a note (150, or its --relevance), the list (100) while items are \
            open, your usual trip (30), or the time since the last trip (10).

            EXAMPLES
              tapline phone complication
              tapline phone complication add "Shop closes at 20:00" --for 2h
              tapline phone complication remove 1
            """,
        subcommands: [ShowComplicationCommand.self, AddNoteCommand.self, RemoveNoteCommand.self],
        defaultSubcommand: ShowComplicationCommand.self)
}

struct ShowComplicationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Print what the face shows from now on, and the notes.",
        discussion: """
            The first lines are the entries for a watch: from when, until when, relevance and text. Entries that do not fit \
            follow as time passes. Notes have numbers. A watch with open items shows its list instead of an entry with a \
            relevance of 100 or less.

            EXAMPLES
              tapline phone complication list
              tapline phone complication list --json | jq -r '.notes[].number'
            """)

    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func run() async throws {
        let face = try await places.read { store throws(PhoneError) in try await store.face() }
        try output.print(ComplicationText.text(face), json: face)
    }
}

struct AddNoteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Show a note on the watch's face.",
        usage: "tapline phone complication add TEXT [OPTION ...]",
        discussion: """
            A note has at most 48 bytes. It is shown from --at (by default from now) until --until, for the time of --for, or \
            else until it is removed. A time is 18:30, the next one, or "2026-11-28 18:30". The watches are asked to show it at \
            once, which uses one of the 50 pushes a day that `tapline wormhole budget` counts. With --no-push they show it \
            within ten minutes.

            EXAMPLES
              tapline phone complication add "Shop closes at 20:00" --for 2h
              tapline phone complication add "Collect the parcel" --at 17:00 --until 19:30
              tapline phone complication add "Market day" --at "2026-11-28 08:00" --for 6h --relevance 90 --no-push
            """)

    @Argument(help: "The text of the note.")
    var text: String

    @Option(help: ArgumentHelp("When it is shown first.", valueName: "time"))
    var at: String?

    @Option(name: .customLong("for"), help: ArgumentHelp("How long, such as 2h or 45m.", valueName: "duration"))
    var length: DurationChoice?

    @Option(help: ArgumentHelp("When it is shown no longer.", valueName: "time"))
    var until: String?

    @Option(help: ArgumentHelp("How much it matters, 0 to 255; the list has 100.", valueName: "number"))
    var relevance: UInt8 = FaceNote.usualRelevance

    @Flag(inversion: .prefixedNo, help: "Ask the watches to show it at once.")
    var push = true

    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func validate() throws {
        if length != nil && until != nil { throw ValidationError("Use either --for or --until, not both.") }
    }

    func run() async throws {
        let now = Date()
        let start = try at.map { try ClockTime.date($0, of: "--at", after: now) } ?? now
        let draft = try NoteDraft(
            text, start: start, end: try end(after: start), relevance: relevance, push: push ? .wanted : .never)
        let note = try await places.change { store throws(PhoneError) in try await store.add(draft) }
        try output.print("Added note \(note.number): \(ComplicationText.line(note))\n", json: note)
    }

    private func end(after start: Date) throws(CommandFailure) -> Date? {
        if let length {
            guard length.milliseconds > 0 else { throw CommandFailure("--for takes a time above 0, such as 2h") }
            return start.addingTimeInterval(Double(length.milliseconds) / 1_000)
        }
        guard let until else { return nil }
        return try ClockTime.date(until, of: "--until", after: start)
    }
}

struct RemoveNoteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove notes from the watch's face.",
        discussion: """
            EXAMPLES
              tapline phone complication remove 3
              tapline phone complication remove --all
            """)

    @Argument(help: "The numbers of the notes, as `tapline phone complication` shows them.")
    var number: [Int64] = []

    @Flag(help: "Remove every note.")
    var all = false

    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func validate() throws {
        if number.isEmpty && !all { throw ValidationError("Give the number of a note, or --all.") }
        if !number.isEmpty && all { throw ValidationError("Use either numbers or --all, not both.") }
    }

    func run() async throws {
        let removed = try await places.change { store throws(PhoneError) in
            try await store.removeNotes(all ? nil : number)
        }
        let lines = removed.map { "Removed note \($0.number): \"\($0.text)\"\n" }
        try output.print(lines.isEmpty ? "There was no note\n" : lines.joined(), json: removed)
    }
}

enum ComplicationText {
    static func text(_ face: FaceReport) -> String {
        guard !face.timeLine.isEmpty || !face.notes.isEmpty else { return "The face shows the date\n" }
        let entries = face.timeLine.map(row)
        let notes = face.notes.map { "note \($0.number): \(line($0))" }
        let head = "from              until             relevance  text"
        return ([head] + entries + (notes.isEmpty ? [] : [""] + notes)).map { "\($0)\n" }.joined()
    }

    static func line(_ note: FaceNote) -> String {
        let end = note.until.map { "until \(minute($0))" } ?? "until it is removed"
        return "\"\(note.text)\", from \(minute(note.from)) \(end), relevance \(note.relevance)"
    }

    private static func row(_ entry: FaceReport.Entry) -> String {
        let until = entry.until.map(minute) ?? "-".padded(to: 16)
        let text = entry.remaining.map { "\($0) left, next \"\(entry.text)\"" } ?? entry.text
        return "\(minute(entry.from))  \(until)  \("\(entry.relevance)".aligned(to: 9))  \(text)"
    }

    /// Formats a date as local time, such as `2026-11-20 18:05`.
    private static func minute(_ date: Date) -> String { String(PhoneReport.localTime(date).dropLast(3)) }
}

/// Reads a time from the command line: `18:30`, `2026-11-28 18:30` or `2026-11-28T18:30:00Z`.
enum ClockTime {
    /// Reads a time; nil if the text has none of the three forms, or if the day or hour does not exist. A time of day means
    /// its next occurrence after `reference`. `zone` returns the local time's offset at a date, in seconds east of UTC.
    static func date(_ text: String, after reference: Date, in zone: (Date) -> Int = MachineZone.offset) -> Date? {
        // The calendar works in UTC. Its dates are those at which a clock in UTC would show the local time.
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        if let clock = text.wholeMatch(of: /([0-9]{1,2}):([0-9]{2})/) {
            let time = DateComponents(hour: Int(clock.1), minute: Int(clock.2), second: 0)
            guard time.isValidDate(in: calendar) else { return nil }
            return calendar.nextDate(
                after: reference.addingTimeInterval(Double(zone(reference))), matching: time, matchingPolicy: .nextTime
            ).map { MachineZone.date(showing: $0, in: zone) }
        }
        if let day = text.wholeMatch(of: /([0-9]{4})-([0-9]{2})-([0-9]{2})[ T]([0-9]{1,2}):([0-9]{2})/) {
            let time = DateComponents(
                year: Int(day.1), month: Int(day.2), day: Int(day.3), hour: Int(day.4), minute: Int(day.5))
            // The calendar itself would accept 30 February.
            guard time.isValidDate(in: calendar), day.1 >= "1970" else { return nil }
            return calendar.date(from: time).map { MachineZone.date(showing: $0, in: zone) }
        }
        return try? Date(text, strategy: .iso8601)
    }

    /// Reads a time. If the text is not a time, throws an error that names `option`.
    static func date(_ text: String, of option: String, after reference: Date) throws(CommandFailure) -> Date {
        guard let date = date(text, after: reference) else {
            throw CommandFailure(
                "\(option) takes a time such as 18:30 or \"2026-11-28 18:30\", not \"\(SanitizedLine(text))\"")
        }
        return date
    }
}
