import ArgumentParser
import CalDAV
import CommandSupport
import Foundation
import HostSystem
import PhoneHost

struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Bring the lists in step with their calendar servers.",
        discussion: """
            Changes of both sides are merged item by item. If more than half of a list is missing on the server, nothing is \
            removed here until you give --accept-deletions or --restore-deletions. An item that the server refuses does not hold \
            up the others. The exit status is 75 if a later sync may finish the rest, and 1 if you have to act first.

            EXAMPLES
              tapline phone sync
              tapline phone sync --every 5m
              tapline phone sync --accept-deletions
            """)

    @Option(help: ArgumentHelp("Sync again after this time, until interrupted: 5m.", valueName: "time"))
    var every: DurationChoice?

    @Flag(help: "Remove the items here that are missing on the server.")
    var acceptDeletions = false

    @Flag(help: "Put the items that are missing on the server there again.")
    var restoreDeletions = false

    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func validate() throws {
        if acceptDeletions, restoreDeletions {
            throw ValidationError("Use either --accept-deletions or --restore-deletions, not both.")
        }
        if let every, every.milliseconds < 1_000 { throw ValidationError("--every takes a second at least.") }
    }

    func run() async throws {
        guard let every else {
            let reports = try await once()
            try SyncText.print(reports, output)
            if let failure = SyncText.failure(reports) { throw failure }
            return
        }
        let signals = StopSignals()
        let repeating = Task {
            repeat {
                do { try SyncText.print(try await once(), output) } catch {
                    FileHandle.standardError.write(Data("Error: \(SanitizedLine("\(error)"))\n".utf8))
                }
            } while (try? await Task.sleep(for: .milliseconds(every.milliseconds))) != nil
        }
        _ = await signals.first()
        repeating.cancel()
        await repeating.value
    }

    private func once() async throws(PhoneError) -> [AccountSync.Report] {
        let policy: MissingPolicy = acceptDeletions ? .accept : restoreDeletions ? .restore : .ask
        return try await places.change { store throws(PhoneError) in
            try await AccountKeeper(store).syncOnce(missing: policy)
        }
    }
}

enum SyncText {
    /// Returns the exit status of a sync: 75 (EX_TEMPFAIL in sysexits.h) if a later sync may finish the rest; 1 if the
    /// owner has to act; nil if nothing is left to do.
    static func failure(_ reports: [AccountSync.Report]) -> ExitCode? {
        if reports.contains(where: { $0.passwordError != nil }) { return ExitCode(1) }
        if let error = reports.flatMap(\.errors).first { return ExitCode(error.isTemporary ? 75 : 1) }
        let rounds = reports.flatMap(\.lists).map(\.round)
        let isForOwner = rounds.contains { $0.missing > 0 || $0.refused.contains { !$0.isTemporary } }
        if isForOwner { return ExitCode(1) }
        return rounds.allSatisfy(\.refused.isEmpty) ? nil : ExitCode(75)
    }

    static func print(_ reports: [AccountSync.Report], _ output: OutputOption) throws {
        let told = reports.flatMap { lines($0) + items($0) }.map { $0 + "\n" }.joined()
        let text = reports.isEmpty ? "There is no account: `tapline phone account add` adds one\n" : told
        try output.print(text, json: reports.map(object))
    }

    static func lines(_ report: AccountSync.Report) -> [String] {
        report.lists.flatMap(lines)
            + [error(report)].compactMap(\.self).map { "\(report.account.address): \($0)" }
    }

    static func lines(_ list: AccountSync.Report.List) -> [String] {
        let round = list.round
        let parts = [
            (round.received, "received"), (round.sent, "sent"), (round.removed, "removed here"),
            (round.deleted, "deleted there"), (round.restored, "sent again"), (list.waiting, "waiting"),
            (list.unsynced.count { $0.fate == .leftAlone }, "left alone"),
            (list.unsynced.count { $0.fate == .refused }, "refused"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        var lines = parts.isEmpty ? [] : ["\(list.name): \(parts.joined(separator: ", "))"]
        if round.missing > 0 {
            lines.append(
                "\(list.name): \(CountText(round.missing, "item")) are missing on the server: "
                    + "`tapline phone sync --accept-deletions` removes them here, --restore-deletions puts them there again"
            )
        }
        if let error = error(list) { lines.append("\(list.name): \(error)") }
        return lines.isEmpty ? ["\(list.name): in step"] : lines
    }

    /// Returns a line for each item that the phone ignores or the server refuses.
    static func items(_ report: AccountSync.Report) -> [String] {
        report.lists.flatMap { list in list.unsynced.map { "\(list.name): \(line($0))" } }
    }

    static func line(_ item: UnsyncedItem) -> String {
        switch item.fate {
        case .leftAlone: "\"\(item.title)\" is left alone: \(item.reason)"
        case .refused: "\"\(item.title)\" is refused (\(item.reason)): change it, or ask the server's administrator"
        }
    }

    static func objects(_ items: [UnsyncedItem], _ fate: UnsyncedItem.Fate) -> [JSONObject] {
        items.filter { $0.fate == fate }.map { ["item": $0.title, "reason": $0.reason] }
    }

    private static func error(_ report: AccountSync.Report) -> String? {
        report.error.map { "\($0)" } ?? report.passwordError.map { "\($0)" }
    }

    private static func error(_ list: AccountSync.Report.List) -> String? {
        switch list.round.end {
        case .complete: nil
        case .left(let error): "\(error)"
        case .gone: "the server no longer has this list; its items stay here"
        }
    }

    private static func object(_ report: AccountSync.Report) -> JSONObject {
        [
            "account": report.account.address, "lists": report.lists.map(object), "error": error(report),
            "requests": report.requests, "bytes": report.bytes,
        ]
    }

    private static func object(_ list: AccountSync.Report.List) -> JSONObject {
        [
            "list": list.name, "received": list.round.received, "sent": list.round.sent,
            "removedHere": list.round.removed, "deletedThere": list.round.deleted, "restored": list.round.restored,
            "waiting": list.waiting, "leftAlone": objects(list.unsynced, .leftAlone),
            "refused": objects(list.unsynced, .refused),
            "missing": list.round.missing, "error": error(list),
        ]
    }
}
