import ArgumentParser
import CommandSupport
import HostSystem
import PhoneHost

struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Add the lines of a file to a list.",
        usage: "tapline phone import FILE [OPTION ...]",
        discussion: """
            Each line is an item. Bullets and check boxes are recognized: `- [x] Milk` is an item that is already checked off. \
            Amounts and notes are split off: the title of `Milk, 2 lbs (oat)` is Milk. From a recipe, only the ingredients are \
            read. Blank lines and headings are skipped. `tapline phone clean` prints the items first. Either the whole file is \
            imported or nothing; a file without items is an error.

            EXAMPLES
              tapline phone import pancakes.md
              tapline phone export > groceries.md
              tapline phone import --list Copy groceries.md
              printf 'Milk\\nEggs\\n' | tapline phone import -
            """)

    @Argument(help: "The file; - for standard input.", completion: .file())
    var file: String

    @OptionGroup var service: ServiceOptions
    @OptionGroup var list: ListOption
    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func run() async throws {
        let parsed = try await service.list(from: file)
        let added = try await places.change { store throws(PhoneError) in
            try await store.add(parsed.drafts, to: list.list, origin: .imported)
        }
        let checked = added.checked.count
        let detail = checked == 0 ? "" : ", \(checked) of them checked off already"
        let report: JSONObject = [
            "list": added.name, "imported": added.items.count, "checked": checked, "skippedLines": parsed.skippedLines,
        ]
        try output.print(
            "Imported \(CountText(added.items.count, "item")) into \(added.name)\(detail)\n"
                + parsed.remarks.map { $0 + "\n" }.joined(), json: report)
    }
}

struct CleanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clean",
        abstract: "Print the items in pasted lines, and store nothing.",
        usage: "tapline phone clean FILE [OPTION ...]",
        discussion: """
            Lines are read as `tapline phone add -` reads them, and lines of one title are joined. --json has the title, \
            the amount and the note of each item, and the lines of a recipe that are left out.

            EXAMPLES
              tapline phone clean pancakes.md
              cat pasted.txt | tapline phone clean - --json
            """)

    @Argument(help: "The file; - for standard input.", completion: .file())
    var file: String

    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOption

    func run() async throws {
        let parsed = try await service.list(from: file)
        var (lines, remarks, items): ([String], [String], [JSONObject]) = ([], [], [])
        for joined in JoinedDraft.all(of: parsed.drafts) {
            let (title, detail) = (joined.draft.title.text, joined.draft.detail)
            let isOpen = joined.draft.kind == .open
            lines.append("- [\(isOpen ? " " : "x")] \(detail.text(behind: title))")
            remarks += [JoinedDraft.remark(joined.parts, detail.text(behind: title))].compactMap(\.self)
            items.append([
                "title": title, "amount": detail.amount, "note": detail.note, "state": isOpen ? "open" : "checked",
            ])
        }
        let report: JSONObject = ["items": items, "joined": remarks, "leftOut": parsed.leftOut]
        try output.print((lines + remarks + parsed.remarks).map { $0 + "\n" }.joined(), json: report)
    }
}

/// The options for a service: a program, chosen by the user, that changes pasted lines before `add`, `clean` and `import`
/// read them.
struct ServiceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A program that gets the lines on its standard input and prints those to add.", valueName: "command"))
    var service: String?

    @Option(help: ArgumentHelp("How long the service may take.", valueName: "30s|500ms"))
    var within = DurationChoice(milliseconds: 30_000)

    func validate() throws {
        if service?.isEmpty == true { throw ValidationError("Which service? --service takes a command.") }
        if service == nil, within != DurationChoice(milliseconds: 30_000) {
            throw ValidationError("--within goes with --service.")
        }
    }

    private static let mostPrintedBytes = 16 << 20

    /// Reads items from the file, or from the standard input if `path` is `-`. If the user chose a service, the bytes pass
    /// through it first.
    func list(from path: String) async throws -> ListImport {
        let bytes = try ListImport.bytes(of: path)
        guard let service else { return try ServiceOptions.plainList(bytes, path == "-" ? "the standard input" : path) }
        let program = FilterProgram(
            words: ["sh", "-c", service], limit: within, mostBytes: ServiceOptions.mostPrintedBytes)
        switch await ServiceOptions.output(of: program, for: bytes) {
        case .failure(let fault): throw ServiceOptions.failure(of: service, fault.description)
        case .success(let printed):
            guard ServiceOptions.isText(printed) else {
                throw ServiceOptions.failure(of: service, "printed something that is no text")
            }
            let list = try ServiceOptions.read(printed)
            guard !list.drafts.isEmpty else { throw ServiceOptions.failure(of: service, "printed no items") }
            return list
        }
    }

    private static func failure(of service: String, _ reason: String) -> CommandFailure {
        CommandFailure(
            "the service `\(SanitizedLine(service))` \(reason): nothing was added; without --service the lines are added "
                + "as they are")
    }

    /// Runs the service, and returns its output. If SIGINT, SIGTERM or SIGHUP arrives, kills the service and returns
    /// `.cancelled`.
    private static func output(
        of program: FilterProgram, for bytes: [UInt8]
    ) async -> Result<[UInt8], FilterProgram.Fault> {
        let signals = StopSignals()
        let work = Task { await program.output(for: bytes) }
        let listener = Task { [arrivals = signals.arrivals] in
            for await _ in arrivals { return work.cancel() }
        }
        let result = await work.value
        listener.cancel()
        return result
    }

    private static func plainList(_ bytes: [UInt8], _ source: String) throws(PhoneError) -> ListImport {
        // Input with a zero byte is a binary file, or text in UTF-16.
        if bytes.contains(0) {
            let reason = "is no text in UTF-8: nothing was added; convert it first, as with iconv -f utf-16 -t utf-8"
            throw .file(path: source, reason: reason)
        }
        let list = try read(bytes)
        guard !list.drafts.isEmpty else {
            throw .file(path: source, reason: "has no items: nothing was added; write each on a line of its own")
        }
        return list
    }

    private static func read(_ bytes: [UInt8]) throws(PhoneError) -> ListImport {
        let list = ListImport(bytes)
        try list.requireItems()
        return list
    }

    private static func isText(_ bytes: [UInt8]) -> Bool {
        String(validating: bytes, as: UTF8.self).map { !$0.unicodeScalars.contains(where: isControl) } ?? false
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 && !"\t\n\r".unicodeScalars.contains(scalar) || scalar.value == 0x7F
    }
}

struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print a list as a Markdown check list, as plain lines, as a page for paper, or as JSON.",
        usage: "tapline phone export [--plain | --print | --json] [OPTION ...]",
        discussion: """
            Without an option the list is a Markdown check list, which `tapline phone import` reads. --print is a page for \
            paper, which a browser prints.

            EXAMPLES
              tapline phone export > groceries.md
              tapline phone export --plain | sort
              tapline phone export --print > groceries.html
              tapline phone export --json
            """)

    @Flag(help: "Print the open items only, one per line.")
    var plain = false

    @Flag(name: .customLong("print"), help: "Print the open items as an HTML page for paper.")
    var page = false

    @OptionGroup var list: ListOption
    @OptionGroup var output: OutputOption
    @OptionGroup var places: PlaceOptions

    func validate() throws {
        if [plain, page, output.json].count(where: \.self) > 1 {
            throw ValidationError("Use one of --plain, --print and --json.")
        }
    }

    func run() async throws {
        let contents = try await places.contents(of: list.list)
        if page { return try StandardOutput.print(ListPage.html(of: contents)) }
        try output.print(
            (plain ? ListExport.plain : ListExport.markdown).text(of: contents),
            json: PhoneReport.list(contents, items: contents.items.map { PhoneReport.item($0) }))
    }
}
