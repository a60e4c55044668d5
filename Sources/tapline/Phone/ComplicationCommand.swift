import ArgumentParser
import CommandSupport
import Foundation
import PhoneHost

/// `tapline phone complication`: what the watch's face shows, and notes for it.
struct ComplicationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "complication",
        abstract: "Print what the watch's face shows, and add notes to it.",
        discussion: """
            The complication shows what is most relevant at each time: a note of yours (150, or what you give it), the list \
            (100) while items are open, the trip that you usually make (30), or how long ago the last one was (10).

            EXAMPLES
              tapline phone complication
              tapline phone complication add "Shop closes at 20:00" --for 2h
              tapline phone complication remove 1
            """,
        subcommands: [ShowComplicationCommand.self, AddNoteCommand.self, RemoveNoteCommand.self],
        defaultSubcommand: ShowComplicationCommand.self)
}

/// `tapline phone complication list`: prints the time line and the notes.
struct ShowComplicationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Print what the face shows from now on, and the notes.",
        discussion: """
            The first lines are what a watch is given: from when, until when, how relevant it is, and its text; what \
            does not fit follows as time passes. Notes have numbers. A watch with open items shows its own list instead of \
            anything that is not more relevant than 100.

            EXAMPLES
              tapline phone complication list
              tapline phone complication list --json | jq -r '.notes[].number'
            """)

    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func run() async throws {
        let face = try await places.look { store throws(PhoneError) in try await store.face() }
        guard output.json else { return try StandardOutput.print(ComplicationText(face).text) }
        try StandardOutput.printJSON(PhoneReport.Face(face))
    }
}

/// `tapline phone complication add`: adds a note.
struct AddNoteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Show a note on the watch's face.",
        usage: "tapline phone complication add TEXT [OPTION ...]",
        discussion: """
            A note has 48 bytes at most, and is shown from --at (by default from now) until --until, or for the time of \
            --for, or else until it is removed. A time is 18:30, the next one, or "2026-11-28 18:30". The watches are asked \
            to show it at once, which is one of the 50 times a day that `tapline wormhole budget` counts; with --no-push they \
            show it within ten minutes.

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
        guard !output.json else { return try StandardOutput.printJSON(PhoneReport.Note(note)) }
        try StandardOutput.print("Added note \(note.number): \(ComplicationText.line(note))\n")
    }
}

extension AddNoteCommand {
    private func end(after start: Date) throws(NoteTimeError) -> Date? {
        if let length {
            guard length.milliseconds > 0 else { throw .noLength }
            return start.addingTimeInterval(Double(length.milliseconds) / 1_000)
        }
        guard let until else { return nil }
        return try ClockTime.date(until, of: "--until", after: start)
    }
}

/// `tapline phone complication remove`: removes notes.
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
            try await store.removeNotes(all ? .all : .numbers(number))
        }
        guard !output.json else { return try StandardOutput.printJSON(removed.map { PhoneReport.Note($0) }) }
        guard !removed.isEmpty else { return try StandardOutput.print("There was no note\n") }
        try StandardOutput.print(removed.map { "Removed note \($0.number): \"\($0.text)\"\n" }.joined())
    }
}
