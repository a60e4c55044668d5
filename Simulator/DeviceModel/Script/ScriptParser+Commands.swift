import Watch
import WatchLink

extension ScriptParser {
    /// The commands' names, in the order in which the documentation lists them.
    package static let commandNames = [
        "tap", "touch", "drag", "swipe", "crown", "press", "hold", "wrist", "hours", "wait", "expect", "phone",
        "screenshot", "record", "describe", "pause", "resume", "step", "speed", "time", "zone", "battery", "charging",
        "fault", "restart", "reset", "save", "load", "repeat", "end", "include", "quit",
    ]

    /// Reads what follows a command's name.
    static func command(_ name: String, _ words: inout ScriptWords) throws(ScriptError.Problem) -> ScriptCommand {
        switch name {
        case "tap": return try tap(&words)
        case "touch": return try touch(&words)
        case "drag": return try drag(&words)
        case "swipe": return .swipe(try words.only("swipe left or swipe right") { ScriptSwipe(rawValue: $0) })
        case "crown": return .crown(detents: try words.only("crown N with N -128 to 127") { Int8($0) })
        case "press": return .press(try words.only("press crown or press side") { button($0) })
        case "hold": return try hold(&words)
        case "wrist": return .wrist(try words.only("wrist on, wrist off or wrist raise") { wristEvent($0) })
        case "hours": return .hours(try words.only("hours 12 or hours 24") { clockForm($0) })
        case "wait": return try wait(&words)
        case "expect": return .expect(try expectation(&words))
        case "phone": return .phone(try phoneEdit(&words))
        case "screenshot": return .screenshot(file: try pictureFile(&words, "screenshot FILE.png"))
        case "record": return .record(try recording(&words))
        case "time": return .time(try time(&words))
        case "zone": return .time(try zone(&words))
        case "speed": return .speed(try words.only("speed N with N 0.1 to 1000") { ClockSpeed(text: $0) })
        case "battery":
            return .battery(
                try words.only("battery N with N 0 to 100") {
                    number($0, in: 0...100).map { .charge(percent: UInt8($0)) }
                })
        case "charging": return .battery(.charging(try words.only("charging on or charging off") { charging($0) }))
        case "fault": return .fault(try fault(&words))
        case "save": return .save(file: try words.text("save FILE"))
        case "load": return .load(file: try words.text("load FILE"))
        default:
            guard let alone = commandsAlone[name] else { throw .unknownCommand(name) }
            try words.end("\(name) alone")
            return alone
        }
    }

    /// The commands without arguments.
    private static let commandsAlone: [String: ScriptCommand] = [
        "describe": .describe, "pause": .pause, "resume": .resume, "step": .step, "restart": .restart,
        "reset": .reset, "quit": .quit,
    ]

    private static func tap(_ words: inout ScriptWords) throws(ScriptError.Problem) -> ScriptCommand {
        let allowed = "tap ROW or tap ROW or nothing, with ROW 1 to \(RowGeometry.rowsVisible)"
        let row = try row(&words, allowed)
        guard !words.rest.isEmpty else { return .tap(row: row, .mustHit) }
        _ = try words.one(allowed) { $0 == "or" ? $0 : nil }
        _ = try words.only(allowed) { $0 == "nothing" ? $0 : nil }
        return .tap(row: row, .mayMiss)
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
        let held = try words.one(allowed) { word in word == "row" ? Held.row : button(word).map { Held.button($0) } }
        switch held {
        case .button(let button):
            try words.end(allowed)
            return .hold(button)
        case .row:
            let row = try row(&words, allowed)
            return .holdRow(row, for: try fingerTime("for", &words, allowed) ?? ScriptRunner.holdTime)
        }
    }

    private enum Held {
        case button(Button)
        case row
    }

    /// Takes how long a finger is on the panel, behind a word of its own at the end of the line; nil where there is nothing.
    private static func fingerTime(
        _ name: String, _ words: inout ScriptWords, _ allowed: String
    ) throws(ScriptError.Problem) -> Microseconds? {
        guard !words.rest.isEmpty else { return nil }
        _ = try words.one(allowed) { $0 == name ? $0 : nil }
        return try words.only(allowed) { word in duration(word).flatMap { $0 <= .seconds(10) ? $0 : nil } }
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
        switch try words.one("phone add TITLE, phone check ITEM or phone remove ITEM", { phoneWord($0) }) {
        case .add: .add(try words.text("phone add TITLE"))
        case .check: .check(try words.text("phone check ITEM"))
        case .remove: .remove(try words.text("phone remove ITEM"))
        }
    }

    private enum PhoneWord: String {
        case add, check, remove
    }

    private static func phoneWord(_ word: String) -> PhoneWord? { PhoneWord(rawValue: word) }

    private static func recording(_ words: inout ScriptWords) throws(ScriptError.Problem) -> ScriptRecording {
        let allowed = "record FILE with FILE ending in \(RecordingFile.endings.joined(separator: ", ")), or record end"
        let file = try words.text(allowed)
        if file == "end" { return .end }
        guard RecordingFile.endings.contains(where: { file.hasSuffix($0) && file.count > $0.count }) else {
            throw .malformed(fault: "\"\(file)\" does not fit", allowed: allowed)
        }
        return .begin(file: file)
    }

    /// Takes the rest of the line as the name of a picture.
    static func pictureFile(_ words: inout ScriptWords, _ allowed: String) throws(ScriptError.Problem) -> String {
        let file = try words.text(allowed)
        guard file.hasSuffix(".png"), file.count > 4 else {
            throw .malformed(fault: "\"\(file)\" does not fit", allowed: allowed)
        }
        return file
    }

    /// Takes the number of a row, counted from 1.
    static func row(_ words: inout ScriptWords, _ allowed: String) throws(ScriptError.Problem) -> Int {
        guard let word = words.next() else { throw .malformed(fault: "missing argument", allowed: allowed) }
        if Int(word) == 0 { throw .malformed(fault: "rows are counted from 1", allowed: allowed) }
        guard let row = number(word, in: 1...RowGeometry.rowsVisible) else {
            throw .malformed(fault: "\"\(word)\" does not fit", allowed: allowed)
        }
        return row
    }

    static func number(_ word: String, in range: ClosedRange<Int>) -> Int? {
        Int(word).flatMap { range.contains($0) ? $0 : nil }
    }

    private static func coordinate(_ word: String, below limit: Int) -> Int16? {
        Int16(word).flatMap { (0..<limit).contains(Int($0)) ? $0 : nil }
    }

    private static func button(_ word: String) -> Button? {
        switch word {
        case "crown": .crown
        case "side": .side
        default: nil
        }
    }

    private static func wristEvent(_ word: String) -> WristEvent? {
        switch word {
        case "on": .worn
        case "off": .removed
        case "raise": .raised
        default: nil
        }
    }

    private static func charging(_ word: String) -> BatteryState.Charging? {
        switch word {
        case "on": .on
        case "off": .off
        default: nil
        }
    }

    private static func clockForm(_ word: String) -> ClockForm? {
        switch word {
        case "12": .twelveHours
        case "24": .twentyFourHours
        default: nil
        }
    }

    static func duration(_ word: String) -> Microseconds? {
        if word.hasSuffix("ms") { return UInt32(word.dropLast(2)).map { .milliseconds($0) } }
        if word.hasSuffix("s") { return UInt32(word.dropLast()).map { .seconds($0) } }
        return nil
    }
}
