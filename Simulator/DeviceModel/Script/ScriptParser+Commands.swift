import Glibc
import Watch
import WatchLink

extension ScriptCommand: ScriptLanguage {
    package static let commandNames = [
        "tap", "touch", "drag", "swipe", "crown", "press", "hold", "wrist", "hours", "wait", "expect", "phone",
        "screenshot", "record", "describe", "pause", "resume", "step", "speed", "time", "zone", "battery", "charging",
        "fault", "restart", "reset", "save", "load", "repeat", "end", "include", "quit",
    ]

    package static func repeated(times: Int, _ statements: [ScriptStatement<Self>]) -> Self {
        .repeat(times: times, statements)
    }

    package static func read(_ name: String, _ words: inout ScriptWords) throws(ScriptError.Problem) -> ScriptCommand {
        switch name {
        case "tap": return try tap(&words)
        case "touch": return try touch(&words)
        case "drag": return try drag(&words)
        case "swipe": return .swipe(try words.only("swipe left or swipe right") { ScriptSwipe(rawValue: $0) })
        case "crown": return .crown(detents: try words.only("crown N with N -128 to 127") { Int8($0) })
        case "press": return .press(try words.only("press crown or press side") { buttons[$0] })
        case "hold": return try hold(&words)
        case "wrist":
            return .wrist(
                try words.only("wrist on, wrist off or wrist raise") {
                    ["on": .worn, "off": .removed, "raise": .raised][$0]
                })
        case "hours":
            return .hours(try words.only("hours 12 or hours 24") { ["12": .twelveHours, "24": .twentyFourHours][$0] })
        case "wait": return try wait(&words)
        case "expect": return .expect(try expectation(&words))
        case "phone": return .phone(try phoneEdit(&words))
        case "screenshot": return .screenshot(file: try words.pictureFile("screenshot FILE.png"))
        case "record": return .record(try words.recording())
        case "time": return .time(try time(&words))
        case "zone": return .time(try zone(&words))
        case "speed": return .speed(try words.only("speed N with N 0.1 to 1000") { ClockSpeed(text: $0) })
        case "battery":
            return .battery(
                try words.only("battery N with N 0 to 100") {
                    ScriptWords.number($0, in: 0...100).map { .charge(percent: UInt8($0)) }
                })
        case "charging":
            let isCharging = try words.only("charging on or charging off") { ["on": true, "off": false][$0] }
            return .battery(.charging(isCharging))
        case "fault": return .fault(try fault(&words))
        case "save": return .save(file: try words.text("save FILE"))
        case "load": return .load(file: try words.text("load FILE"))
        default:
            guard let alone = commandsAlone[name] else { throw .unknownCommand(name, known: commandNames) }
            try words.end("\(name) alone")
            return alone
        }
    }

    private static let commandsAlone: [String: ScriptCommand] = [
        "describe": .describe, "pause": .pause, "resume": .resume, "step": .step, "restart": .restart,
        "reset": .reset, "quit": .quit,
    ]

    private static func tap(_ words: inout ScriptWords) throws(ScriptError.Problem) -> ScriptCommand {
        let allowed = "tap ROW or tap ROW or nothing, with ROW 1 to \(RowGeometry.rowsVisible)"
        let row = try row(&words, allowed)
        guard !words.rest.isEmpty else { return .tap(row: row, mayMiss: false) }
        _ = try words.one(allowed) { $0 == "or" ? $0 : nil }
        _ = try words.only(allowed) { $0 == "nothing" ? $0 : nil }
        return .tap(row: row, mayMiss: true)
    }

    private static func touch(_ words: inout ScriptWords) throws(ScriptError.Problem) -> ScriptCommand {
        let allowed = "touch X Y with \(coordinates)"
        let pixel = try pixel(&words, allowed)
        try words.end(allowed)
        return .touch(x: pixel.x, y: pixel.y)
    }

    private static func drag(_ words: inout ScriptWords) throws(ScriptError.Problem) -> ScriptCommand {
        let allowed = "drag X Y X Y, or over 300ms behind it, at most 10s, with \(coordinates)"
        let (start, end) = (try pixel(&words, allowed), try pixel(&words, allowed))
        return .drag(from: start, to: end, over: try fingerTime("over", &words, allowed) ?? ScriptRunner.dragTime)
    }

    private static func hold(_ words: inout ScriptWords) throws(ScriptError.Problem) -> ScriptCommand {
        let allowed =
            "hold crown, hold side, hold row N or hold row N for 800ms, at most 10s, with N 1 to \(RowGeometry.rowsVisible)"
        let held = try words.one(allowed) { $0 == "row" || buttons[$0] != nil ? $0 : nil }
        if let button = buttons[held] {
            try words.end(allowed)
            return .hold(button)
        }
        let row = try row(&words, allowed)
        return .holdRow(row, for: try fingerTime("for", &words, allowed) ?? ScriptRunner.holdTime)
    }

    /// Reads the word `name`, such as `over`, and a duration of at most 10 s. Nil if the line has no more words.
    private static func fingerTime(
        _ name: String, _ words: inout ScriptWords, _ allowed: String
    ) throws(ScriptError.Problem) -> Microseconds? {
        guard !words.rest.isEmpty else { return nil }
        _ = try words.one(allowed) { $0 == name ? $0 : nil }
        return try words.only(allowed) { word in ScriptWords.duration(word).flatMap { $0 <= .seconds(10) ? $0 : nil } }
    }

    private static let coordinates =
        "X 0 to \(PanelGeometry.width - 1) and Y 0 to \(PanelGeometry.height - 1)"

    private static func pixel(_ words: inout ScriptWords, _ allowed: String) throws(ScriptError.Problem) -> ScriptPixel
    {
        let x = try words.one(allowed) { coordinate($0, below: PanelGeometry.width) }
        let y = try words.one(allowed) { coordinate($0, below: PanelGeometry.height) }
        return ScriptPixel(x: x, y: y)
    }

    private static func phoneEdit(_ words: inout ScriptWords) throws(ScriptError.Problem) -> ScriptPhoneEdit {
        let edits: [String: (form: String, edit: (String) -> ScriptPhoneEdit)] = [
            "add": ("phone add TITLE", { .add($0) }), "check": ("phone check ITEM", { .check($0) }),
            "remove": ("phone remove ITEM", { .remove($0) }),
        ]
        let (form, edit) = try words.one("phone add TITLE, phone check ITEM or phone remove ITEM") { edits[$0] }
        return edit(try words.text(form))
    }

    static func row(_ words: inout ScriptWords, _ allowed: String) throws(ScriptError.Problem) -> Int {
        guard let word = words.next() else { throw .malformed(fault: "missing argument", allowed: allowed) }
        if Int(word) == 0 { throw .malformed(fault: "rows are counted from 1", allowed: allowed) }
        guard let row = ScriptWords.number(word, in: 1...RowGeometry.rowsVisible) else {
            throw .malformed(fault: "\"\(word)\" does not fit", allowed: allowed)
        }
        return row
    }

    private static func coordinate(_ word: String, below limit: Int) -> Int16? {
        Int16(word).flatMap { (0..<limit).contains(Int($0)) ? $0 : nil }
    }

    private static let buttons: [String: Button] = ["crown": .crown, "side": .side]

    static func fault(_ words: inout ScriptWords) throws(ScriptError.Problem) -> FaultChange {
        let form = try words.one(Fault.allowed) { word in Fault.forms.first { $0.word == word } }
        return try form.read(&words)
    }
}

extension Fault.Form {
    fileprivate func read(_ words: inout ScriptWords) throws(ScriptError.Problem) -> FaultChange {
        switch argument {
        case .none(let change):
            try words.end(allowed)
            return change
        case .number(_, let range, let change):
            return change(try words.only(allowed) { UInt32($0).flatMap { range.contains($0) ? $0 : nil } })
        case .optionalDuration(_, let without, let change):
            guard !words.rest.isEmpty else { return without }
            return change(try words.only(allowed) { ScriptWords.duration($0) })
        case .choice(let choices):
            return try words.only(allowed) { word in choices.first { $0.word == word }?.change }
        }
    }
}

extension ScriptCommand {
    private static let timeForm = "time HH:MM[:SS] or time YYYY-MM-DD HH:MM[:SS], from 1970 to 2105"
    private static let zoneForm = "zone +HH:MM or zone -HH:MM, east and west of UTC, at most 14 hours"

    static func time(_ words: inout ScriptWords) throws(ScriptError.Problem) -> ScriptTime {
        let first = try words.one(timeForm) { $0 }
        guard words.rest.isEmpty else {
            let seconds = try words.only(timeForm) { timeOfDay($0) }
            guard let day = day(first) else { throw .malformed(fault: "\"\(first)\" does not fit", allowed: timeForm) }
            return .at(LocalTime(seconds: day + seconds))
        }
        guard let seconds = timeOfDay(first) else {
            throw .malformed(fault: "\"\(first)\" does not fit", allowed: timeForm)
        }
        return .ofDay(seconds: seconds)
    }

    static func zone(_ words: inout ScriptWords) throws(ScriptError.Problem) -> ScriptTime {
        .zone(
            seconds: try words.only(zoneForm) { word in
                guard let sign = word.first, "+-".contains(sign),
                    let seconds = timeOfDay(String(word.dropFirst())), seconds <= 14 * 3_600
                else { return nil }
                return sign == "-" ? -Int64(seconds) : Int64(seconds)
            })
    }

    private static func timeOfDay(_ word: String) -> UInt32? {
        let parts = word.split(separator: ":", omittingEmptySubsequences: false).map { digits($0, count: 2) }
        guard (2...3).contains(parts.count), let hour = parts[0], hour < 24, let minute = parts[1], minute < 60 else {
            return nil
        }
        guard parts.count == 3 else { return hour * 3_600 + minute * 60 }
        guard let second = parts[2], second < 60 else { return nil }
        return hour * 3_600 + minute * 60 + second
    }

    private static func day(_ word: String) -> UInt32? {
        let parts = word.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let year = digits(parts[0], count: 4), (1970...2105).contains(year),
            let month = digits(parts[1], count: 2), let day = digits(parts[2], count: 2)
        else { return nil }
        var fields = tm()
        (fields.tm_year, fields.tm_mon, fields.tm_mday) = (CInt(year) - 1900, CInt(month) - 1, CInt(day))
        let seconds = timegm(&fields)
        // A day that does not exist would become a day of the next month.
        guard fields.tm_mon == CInt(month) - 1, fields.tm_mday == CInt(day) else { return nil }
        return UInt32(exactly: seconds)
    }

    private static func digits(_ text: Substring, count: Int) -> UInt32? {
        guard text.count == count, text.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
        return UInt32(text)
    }

    private static let waits =
        "wait DURATION such as 200ms or 2s, wait until synced|settled [DURATION], or wait until row N TEXT [DURATION] "
        + "with N 1 to \(RowGeometry.rowsVisible)"

    static func wait(_ words: inout ScriptWords) throws(ScriptError.Problem) -> ScriptCommand {
        guard words.rest.hasPrefix("until") else { return .wait(try words.only(waits) { ScriptWords.duration($0) }) }
        _ = try words.one(waits) { $0 == "until" ? $0 : nil }
        switch try words.one(waits, { $0 }) {
        case "synced": return .waitUntil(.synced, within: try limit(&words))
        case "settled": return .waitUntil(.settled, within: try limit(&words))
        case "row":
            let row = try row(&words, waits)
            let limit = words.last { ScriptWords.duration($0) } ?? ScriptLimit.wait
            return .waitUntil(.row(row, try words.text(waits)), within: limit)
        case let other:
            let question = SimilarWord.question(other, among: ["synced", "settled", "row"])
            throw .malformed(fault: "\"\(other)\" does not fit\(question)", allowed: waits)
        }
    }

    private static func limit(_ words: inout ScriptWords) throws(ScriptError.Problem) -> Microseconds {
        words.rest.isEmpty ? ScriptLimit.wait : try words.only(waits) { ScriptWords.duration($0) }
    }

    private static let screenForm = "expect screen \(ScreenName.all.map(\.name).joined(separator: "|"))"
    private static let faceForm = "expect face \(FaceStyle.all.map { "\($0.name)" }.joined(separator: "|"))"
    private static let markForm =
        "expect \((ScriptMark.allCases.map(\.rawValue) + WatchMoment.all.map(\.participle)).joined(separator: "|")) within DURATION such as 8ms or 1s"
    private static let rowForm = "expect row N TEXT with N 1 to \(RowGeometry.rowsVisible)"
    private static let subjects =
        ["title", "row", "no", "screen", "face", "left", "complication", "text", "haptics", "screenshot"]
        + WatchMoment.all.map(\.participle) + ScriptMark.allCases.map(\.rawValue)

    static func expectation(_ words: inout ScriptWords) throws(ScriptError.Problem) -> ScriptExpectation {
        let allowed =
            "expect title TEXT, row N TEXT, no row TEXT, screen NAME, face NAME, left N, complication TEXT, text TEXT, "
            + "haptics N, screenshot FILE.png or MARK within DURATION"
        let subject = try words.one(allowed) { $0 }
        if let mark = ScriptMark(rawValue: subject) { return .mark(mark, within: try markLimit(&words)) }
        if let moment = WatchMoment.all.first(where: { $0.participle == subject }) {
            return .moment(moment, within: try markLimit(&words))
        }
        switch subject {
        case "face": return .screen(.face(try words.only(faceForm) { FaceStyle(named: $0) }))
        case "title": return .screen(.title(try words.text("expect title TEXT")))
        case "row":
            let position = try row(&words, rowForm)
            return .screen(.row(position, try words.text(rowForm)))
        case "no":
            _ = try words.one("expect no row TEXT") { $0 == "row" ? $0 : nil }
            return .screen(.noRow(try words.text("expect no row TEXT")))
        case "screen": return .screen(.screen(try words.only(screenForm) { ScreenName(name: $0) }))
        case "left": return .screen(.left(try words.only("expect left N") { UInt32($0) }))
        case "complication": return .screen(.complication(try words.text("expect complication TEXT")))
        case "text": return .screen(.text(try words.text("expect text TEXT")))
        case "haptics":
            return .haptics(
                try words.only("expect haptics N with N 0 to 1000000") { ScriptWords.number($0, in: 0...1_000_000) })
        case "screenshot": return .screenshot(file: try words.pictureFile("expect screenshot FILE.png"))
        case let other:
            let question = SimilarWord.question(other, among: subjects)
            throw .malformed(fault: "\"\(other)\" does not fit\(question)", allowed: allowed)
        }
    }

    private static func markLimit(_ words: inout ScriptWords) throws(ScriptError.Problem) -> Microseconds {
        _ = try words.one(markForm) { $0 == "within" ? $0 : nil }
        return try words.only(markForm) { ScriptWords.duration($0) }
    }
}
