import DeviceModel
import WatchLink

/// A command of a script for an emulated watch that executes firmware. `forms` lists all commands.
package struct MachineCommand: ScriptLanguage {
    package enum Action: Equatable, Sendable {
        /// A finger touches a pixel for a time, which counts from the touch controller's report.
        case press(x: Int, y: Int, for: Microseconds)
        case touch(x: Int, y: Int)
        case lift
        case swipe(Direction)
        case button(BoardButton, for: Microseconds)
        case crown(detents: Int)
        case battery(percent: Int)
        case charger(Charger)
        case tilt
        case steps(Int)
        case wait(Microseconds)
        case waitUntil(Condition, within: Microseconds)
        case screenshot(file: String)
        case record(ScriptRecording)
        case expect(Expectation)
        case registers
        case phone(PhoneAction)
        case list(ScriptPhoneEdit)
        case loss(perMillion: UInt64)
        case range(isIn: Bool)
        case absent(BoardParts)
        case `repeat`(times: Int, [ScriptStatement<MachineCommand>])
        case quit
    }

    package enum Direction: String, CaseIterable, Sendable {
        case left, right, up, down
    }

    package enum Condition: Equatable, Sendable {
        case asleep
        case drawn
        case console(String)
        case left(Int)
    }

    package enum Expectation: Equatable, Sendable {
        case screenshot(file: String)
        /// The motor has run this number of times since the start or the last `expect motor`. Nil means once or more.
        case motor(Int?)
        case updated(within: Microseconds)
        case awake
        case asleep
        case events(atLeast: Int, missed: Int)
    }

    package enum PhoneAction: Equatable, Sendable {
        case scan
        case connect(String)
        case discover
        case read(AttributeUUID)
        case write(AttributeUUID, [UInt8])
        case subscribe(AttributeUUID)
        case pair
        case confirm(Bool)
        case disconnect
    }

    /// The command's line in the script, without its comment.
    package let text: String
    package let action: Action

    package init(_ action: Action, text: String = "") { (self.action, self.text) = (action, text) }

    /// How long a tap lasts. It is twice the time between two scans of a touch controller at rest.
    package static let tapTime = Microseconds.milliseconds(80)
    package static let buttonTime = Microseconds.milliseconds(100)
    package static let swipeTime = Microseconds.milliseconds(150)

    /// The forms of all commands. Each inner array has the forms in one row of the table in `Simulator/SCRIPTS.md`. The arrays
    /// have the order of the rows.
    package static let forms = [
        ["tap X,Y", "tap X,Y for 200ms"], ["touch X,Y", "lift"],
        ["swipe left", "swipe right", "swipe up", "swipe down"], ["hold X,Y for 1s"], ["button", "button hold 2s"],
        ["crown N", "crown press"], ["battery 40%"], ["charger on", "charger off", "charger full"],
        ["wrist tilt", "wrist steps N"], ["wait 200ms"], ["wait until drawn within 5s"],
        ["wait until asleep within 20s"], ["wait until console TEXT within 5s"], ["wait until left N within 20s"],
        ["screenshot FILE.png"],
        ["record FILE.gif", "record end"], ["expect screenshot FILE.png"], ["expect motor", "expect motor N"],
        ["expect updated within 60ms"], ["expect awake", "expect asleep"], ["expect connection events N missed M"],
        ["registers"], ["phone add TITLE", "phone check ITEM", "phone remove ITEM"], ["phone scan"],
        ["phone connect NAME", "phone disconnect"], ["phone discover"],
        ["phone read UUID"], ["phone write UUID HEX", "phone write UUID \"TEXT\""], ["phone subscribe UUID"],
        ["phone pair", "phone confirm yes", "phone confirm no"], ["fault radio loss 10%"],
        ["fault range out", "fault range in"],
        ["fault absent touch", "fault absent flash", "fault absent panel", "fault absent accelerometer"],
        ["repeat N", "end"], ["include FILE"], ["quit"],
    ]

    package static var synopses: [String] { forms.map { $0.joined(separator: ", ") } }

    package static let names = forms.joined().reduce(into: [String]()) { names, form in
        let name = String(form.prefix { $0 != " " })
        if !names.contains(name) { names.append(name) }
    }

    package static func repeated(times: Int, _ statements: [ScriptStatement<Self>]) -> Self {
        MachineCommand(.repeat(times: times, statements), text: "repeat \(times)")
    }

    package static func read(_ name: String, _ words: inout ScriptWords) throws(ScriptError.Problem) -> Self {
        let text = words.rest.isEmpty ? name : "\(name) \(words.rest)"
        return MachineCommand(try action(name, &words), text: text)
    }

    private static func action(_ name: String, _ words: inout ScriptWords) throws(ScriptError.Problem) -> Action {
        switch name {
        case "tap": return try press("tap X,Y or tap X,Y for 200ms, at most 60s", &words, tapTime)
        case "hold": return try press("hold X,Y for 1s, at most 60s", &words, nil)
        case "touch":
            let (x, y) = try words.only("touch X,Y") { point($0) }
            return .touch(x: x, y: y)
        case "lift": return try alone(.lift, name, words)
        case "swipe":
            return .swipe(try words.only("swipe left, right, up or down") { Direction(rawValue: $0) })
        case "button": return try button(&words)
        case "crown":
            if words.rest == "press" { return .button(.crown, for: buttonTime) }
            let allowed = "crown N with N -100 to 100, or crown press"
            return .crown(detents: try words.only(allowed) { ScriptWords.number($0, in: -100...100) })
        case "battery":
            return .battery(percent: try words.only("battery 40%, with 0% to 100%") { percent($0).map { $0 / 10_000 } })
        case "charger":
            return .charger(
                try words.only("charger on, off or full") {
                    ["on": Charger.charging, "off": .unplugged, "full": .full][$0]
                })
        case "wrist": return try wrist(&words)
        case "wait": return try wait(&words)
        case "screenshot": return .screenshot(file: try words.pictureFile("screenshot FILE.png"))
        case "record": return .record(try words.recording())
        case "expect": return .expect(try expectation(&words))
        case "registers": return try alone(.registers, name, words)
        case "phone": return try phone(&words)
        case "fault": return try fault(&words)
        case "quit": return try alone(.quit, name, words)
        case _:
            if ScriptCommand.commandNames.contains(name) {
                throw .other(
                    "\(name) is a command for Tapline's own watch: leave out --firmware, or use tap X,Y, swipe, button")
            }
            throw .unknownCommand(name, known: names)
        }
    }

    private static func alone(
        _ action: Action, _ name: String, _ words: ScriptWords
    ) throws(ScriptError.Problem) -> Action {
        try words.end("\(name) alone")
        return action
    }

    private static func press(
        _ allowed: String, _ words: inout ScriptWords, _ usual: Microseconds?
    ) throws(ScriptError.Problem) -> Action {
        let place = try words.one(allowed) { $0 }
        if Int(place) != nil || place == "row" {
            throw .other("rows are on Tapline's own watch: leave out --firmware, or name a pixel: \(allowed)")
        }
        guard let (x, y) = point(place) else { throw .malformed(fault: "\"\(place)\" does not fit", allowed: allowed) }
        if words.rest.isEmpty, let usual { return .press(x: x, y: y, for: usual) }
        _ = try words.one(allowed) { $0 == "for" ? $0 : nil }
        return .press(x: x, y: y, for: try words.only(allowed) { short($0) })
    }

    private static func button(_ words: inout ScriptWords) throws(ScriptError.Problem) -> Action {
        if words.rest.isEmpty { return .button(.side, for: buttonTime) }
        let allowed = "button or button hold 2s, at most 60s"
        _ = try words.one(allowed) { $0 == "hold" ? $0 : nil }
        return .button(.side, for: try words.only(allowed) { short($0) })
    }

    private static func wrist(_ words: inout ScriptWords) throws(ScriptError.Problem) -> Action {
        let allowed = "wrist tilt or wrist steps N"
        guard try words.one(allowed, { ["tilt", "steps"].contains($0) ? $0 : nil }) == "steps" else {
            try words.end(allowed)
            return .tilt
        }
        return .steps(try words.only(allowed) { ScriptWords.number($0, in: 0...Int(UInt32.max)) })
    }

    private static func wait(_ words: inout ScriptWords) throws(ScriptError.Problem) -> Action {
        let allowed =
            "wait DURATION such as 200ms, or wait until asleep, drawn, left N or console TEXT, within DURATION"
        guard words.rest.hasPrefix("until") else {
            return .wait(try words.only(allowed) { ScriptWords.duration($0) })
        }
        _ = try words.one(allowed) { $0 == "until" ? $0 : nil }
        var limit = ScriptLimit.wait
        var before = words
        if let found = before.last({ ScriptWords.duration($0) }), before.last({ $0 == "within" ? $0 : nil }) != nil {
            (limit, words) = (found, before)
        }
        switch try words.one(allowed, { $0 }) {
        case "asleep":
            try words.end(allowed)
            return .waitUntil(.asleep, within: limit)
        case "drawn":
            try words.end(allowed)
            return .waitUntil(.drawn, within: limit)
        case "console": return .waitUntil(.console(try words.text(allowed)), within: limit)
        case "left":
            return .waitUntil(
                .left(try words.only(allowed) { ScriptWords.number($0, in: 0...1_000_000) }), within: limit)
        case let other:
            let question = SimilarWord.question(other, among: ["asleep", "drawn", "left", "console"])
            throw .malformed(fault: "\"\(other)\" does not fit\(question)", allowed: allowed)
        }
    }

    private static func expectation(_ words: inout ScriptWords) throws(ScriptError.Problem) -> Expectation {
        let allowed =
            "expect screenshot FILE.png, motor, motor N, updated within DURATION, awake, asleep, or "
            + "connection events N missed M"
        switch try words.one(allowed, { $0 }) {
        case "screenshot": return .screenshot(file: try words.pictureFile("expect screenshot FILE.png"))
        case "motor":
            guard !words.rest.isEmpty else { return .motor(nil) }
            return .motor(
                try words.only("expect motor or expect motor N") { ScriptWords.number($0, in: 0...1_000_000) })
        case "updated":
            _ = try words.one(allowed) { $0 == "within" ? $0 : nil }
            return .updated(within: try words.only(allowed) { short($0) })
        case "awake":
            try words.end(allowed)
            return .awake
        case "asleep":
            try words.end(allowed)
            return .asleep
        case "connection":
            _ = try words.one(allowed) { $0 == "events" ? $0 : nil }
            let events = try words.one(allowed) { ScriptWords.number($0, in: 0...1_000_000_000) }
            _ = try words.one(allowed) { $0 == "missed" ? $0 : nil }
            return .events(
                atLeast: events, missed: try words.only(allowed) { ScriptWords.number($0, in: 0...1_000_000_000) })
        case let other:
            let known = ["screenshot", "motor", "updated", "awake", "asleep", "connection"]
            let question = SimilarWord.question(other, among: known)
            throw .malformed(fault: "\"\(other)\" does not fit\(question)", allowed: allowed)
        }
    }

    private static func phone(_ words: inout ScriptWords) throws(ScriptError.Problem) -> Action {
        let allowed =
            "phone add TITLE, check ITEM, remove ITEM, scan, connect NAME, discover, read UUID, write UUID HEX or \"TEXT\", subscribe UUID, pair, "
            + "confirm yes, confirm no, or disconnect"
        let plain: [String: PhoneAction] = [
            "scan": .scan, "discover": .discover, "pair": .pair, "disconnect": .disconnect,
        ]
        let word = try words.one(allowed) { $0 }
        if let action = plain[word] {
            try words.end(allowed)
            return .phone(action)
        }
        switch word {
        case "add": return .list(.add(try words.text("phone add TITLE")))
        case "check": return .list(.check(try words.text("phone check ITEM")))
        case "remove": return .list(.remove(try words.text("phone remove ITEM")))
        case "connect": return .phone(.connect(try words.text("phone connect NAME or phone connect ADDRESS")))
        case "read": return .phone(.read(try words.only(allowed) { AttributeUUID($0) }))
        case "subscribe": return .phone(.subscribe(try words.only(allowed) { AttributeUUID($0) }))
        case "confirm": return .phone(.confirm(try words.only(allowed) { ["yes": true, "no": false][$0] }))
        case "write":
            let uuid = try words.one(allowed) { AttributeUUID($0) }
            if words.rest.hasPrefix("\"") { return .phone(.write(uuid, Array(try words.text(allowed).utf8))) }
            return .phone(.write(uuid, try words.only(allowed) { HexText.bytes($0) }))
        case let other:
            throw .malformed(fault: "\"\(other)\" does not fit", allowed: allowed)
        }
    }

    private static func fault(_ words: inout ScriptWords) throws(ScriptError.Problem) -> Action {
        let allowed =
            "fault radio loss 10%, fault range out, fault range in, or fault absent touch, flash, panel or accelerometer"
        switch try words.one(allowed, { $0 }) {
        case "radio":
            _ = try words.one(allowed) { $0 == "loss" ? $0 : nil }
            return .loss(perMillion: try words.only(allowed) { percent($0).map(UInt64.init) })
        case "range": return .range(isIn: try words.only(allowed) { ["in": true, "out": false][$0] })
        case "absent":
            let parts: [String: BoardParts] = [
                "touch": .touch, "flash": .flash, "panel": .panel, "accelerometer": .accelerometer,
            ]
            return .absent(try words.only(allowed) { parts[$0] })
        case let other: throw .malformed(fault: "\"\(other)\" does not fit", allowed: allowed)
        }
    }

    // MARK: Words

    package static func point(_ word: String) -> (x: Int, y: Int)? {
        let numbers = word.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let x = numbers[0], let y = numbers[1] else { return nil }
        return (x, y)
    }

    private static func short(_ word: String) -> Microseconds? {
        ScriptWords.duration(word).flatMap { $0 <= .seconds(60) ? $0 : nil }
    }

    /// Reads a whole percentage from 0% to 100%, and returns it in millionths. Returns nil for any other word.
    private static func percent(_ word: String) -> Int? {
        guard word.hasSuffix("%") else { return nil }
        return ScriptWords.number(String(word.dropLast()), in: 0...100).map { $0 * 10_000 }
    }
}
