import Testing
import Watch
import WatchLink

@testable import DeviceModel

@Suite struct ScriptParserTests {
    private func command(_ line: String) throws -> ScriptCommand? {
        try ScriptParser(file: "s").statements(in: line).first?.command
    }

    private static let lastRow = RowGeometry.rowsVisible
    private static let tapping = "tap ROW or tap ROW or nothing, with ROW 1 to \(lastRow)"
    private static let waiting =
        "wait DURATION such as 200ms or 2s, wait until synced|settled [DURATION], or wait until row N TEXT [DURATION] "
        + "with N 1 to \(lastRow)"
    private static let expecting =
        "expect title TEXT, row N TEXT, no row TEXT, screen NAME, face NAME, left N, complication TEXT, text TEXT, haptics N, "
        + "screenshot FILE.png or MARK within DURATION"
    private static let marking =
        "expect handled|updated|settled|durable|felt|sent|committed|acknowledged|launched|arrived|raised within DURATION such as 8ms or 1s"
    private static let recording = "record FILE with FILE ending in .gif, or record end"
    private static let timing = "time HH:MM[:SS] or time YYYY-MM-DD HH:MM[:SS], from 1970 to 2105"
    private static let zoning = "zone +HH:MM or zone -HH:MM, east and west of UTC, at most 14 hours"
    private static let holding =
        "hold crown, hold side, hold row N or hold row N for 800ms, at most 10s, with N 1 to 6"
    private static let dragging =
        "drag X Y X Y, or over 300ms behind it, at most 10s, with X 0 to 143 and Y 0 to 167"
    private static let commands =
        "tap, touch, drag, swipe, crown, press, hold, wrist, hours, wait, expect, phone, screenshot, record, describe, pause, "
        + "resume, step, speed, time, zone, battery, charging, fault, restart, reset, save, load, repeat, end, include, quit"
    private static let faults =
        "fault loss PERCENT, cut [DURATION], open, jitter MS, phone MS, flash typical|maximum, battery charged|low or none"

    @Test(arguments: [
        ("tap 1", ScriptCommand.tap(row: 1, mayMiss: false)),
        ("tap 2 or nothing", .tap(row: 2, mayMiss: true)),
        ("touch 0 167", .touch(x: 0, y: 167)),
        (
            "drag 10 160 20 30",
            .drag(from: ScriptPixel(x: 10, y: 160), to: ScriptPixel(x: 20, y: 30), over: .milliseconds(300))
        ),
        (
            "drag 0 0 143 167 over 10s",
            .drag(from: ScriptPixel(x: 0, y: 0), to: ScriptPixel(x: 143, y: 167), over: .seconds(10))
        ),
        ("tap 1 # the first", .tap(row: 1, mayMiss: false)),
        ("phone add #2 pencils # and more", .phone(.add("#2 pencils"))),
        (#"phone add "Tea # green" # a title"#, .phone(.add("Tea # green"))),
        (#"wait until row 1 "Milk 2s" 5s"#, .waitUntil(.row(1, "Milk 2s"), within: .seconds(5))),
        (#"expect no row ""Milk"""#, .expect(.screen(.noRow(#""Milk""#)))),
        (#"expect title 7" plates"#, .expect(.screen(.title(#"7" plates"#)))),
        ("swipe left", .swipe(.left)),
        ("hold row 1", .holdRow(1, for: .milliseconds(600))),
        ("hold row 6 for 0ms", .holdRow(6, for: .zero)),
        ("crown -128", .crown(detents: -128)),
        ("press crown", .press(.crown)),
        ("hold crown", .hold(.crown)),
        ("record a b.gif", .record(.begin(file: "a b.gif"))),
        ("record end", .record(.end)),
        ("time 00:00", .time(.ofDay(seconds: 0))),
        ("time 1970-01-01 00:00", .time(.at(LocalTime(seconds: 0)))),
        ("time 2026-11-20 10:08:30", .time(.at(LocalTime(seconds: 1_795_169_310)))),
        ("zone +09:30", .time(.zone(seconds: 34_200))),
        ("zone -14:00", .time(.zone(seconds: -50_400))),
        ("wait 2s", .wait(.seconds(2))),
        ("wait 5min", .wait(.seconds(300))),
        ("wait 1h", .wait(.seconds(3_600))),
        ("wait until synced", .waitUntil(.synced, within: .seconds(30))),
        ("wait until synced 750ms", .waitUntil(.synced, within: .milliseconds(750))),
        ("wait until settled", .waitUntil(.settled, within: .seconds(30))),
        ("wait until row 1 Rye bread  5s", .waitUntil(.row(1, "Rye bread"), within: .seconds(5))),
        ("wait until row 2 5s", .waitUntil(.row(2, "5s"), within: .seconds(30))),
        (#"expect title "For the  party # 2""#, .expect(.screen(.title("For the  party # 2")))),
        ("expect row 2 Brötchen, zwölf", .expect(.screen(.row(2, "Brötchen, zwölf")))),
        ("expect no row Brötchen, zwölf", .expect(.screen(.noRow("Brötchen, zwölf")))),
        ("expect screen face", .expect(.screen(.screen(.face)))),
        ("expect left 12", .expect(.screen(.left(12)))),
        ("expect complication Eggs", .expect(.screen(.complication("Eggs")))),
        ("expect text 3 left", .expect(.screen(.text("3 left")))),
        ("expect haptics 0", .expect(.haptics(0))),
        ("expect updated within 8ms", .expect(.mark(.updated, within: .milliseconds(8)))),
        ("expect screenshot a list.png", .expect(.screenshot(file: "a list.png"))),
        ("phone add Rye bread", .phone(.add("Rye bread"))),
        ("phone check 2", .phone(.check("2"))),
        ("phone remove milk", .phone(.remove("milk"))),
        ("screenshot shots/my watch.png", .screenshot(file: "shots/my watch.png")),
        ("describe", .describe),
        ("speed 1000", .speed(ClockSpeed(1_000) ?? .real)),
        ("fault loss 30", .fault(.loss(percent: 30))),
        ("fault cut", .fault(.cut)),
        ("fault cut 5s", .fault(.cutFor(.seconds(5)))),
        ("fault open", .fault(.open)),
        ("fault jitter 50", .fault(.jitter(.milliseconds(50)))),
        ("fault phone 2000", .fault(.phone(.seconds(2)))),
        ("fault flash maximum", .fault(.flash(.maximum))),
        ("fault battery low", .fault(.battery(.low))),
        ("fault none", .fault(.none)),
        ("save a bug.json", .save(file: "a bug.json")),
        ("load a bug.json", .load(file: "a bug.json")),
        ("battery 100", .battery(.charge(percent: 100))),
        ("charging on", .battery(.charging(true))),
        ("  \ttap\t 1  ", .tap(row: 1, mayMiss: false)),
    ])
    func `Every command has its form`(line: String, expected: ScriptCommand) throws {
        #expect(try command(line) == expected)
    }

    @Test(arguments: ["", "   \t", "# a comment", "   # tap 1", "#"])
    func `Blank lines and comments hold nothing`(line: String) throws {
        #expect(try command(line) == nil)
    }

    @Test(arguments: [
        ("tap", "missing argument; allowed: \(tapping)"),
        ("tap -1", "\"-1\" does not fit; allowed: \(tapping)"),
        ("tap 0", "rows are counted from 1; allowed: \(tapping)"),
        ("tap \(lastRow + 1)", "\"\(lastRow + 1)\" does not fit; allowed: \(tapping)"),
        ("tap 1 2", "\"2\" does not fit; allowed: \(tapping)"),
        ("tap 1 or", "missing argument; allowed: \(tapping)"),
        ("tap 1 or nothing else", "\"else\" does not fit; allowed: \(tapping)"),
        ("touch 1", "missing argument; allowed: touch X Y with X 0 to 143 and Y 0 to 167"),
        ("touch 0 168", "\"168\" does not fit; allowed: touch X Y with X 0 to 143 and Y 0 to 167"),
        ("crown 128", "\"128\" does not fit; allowed: crown N with N -128 to 127"),
        ("pause now", "\"now\" does not fit; allowed: pause alone"),
        ("battery 101", "\"101\" does not fit; allowed: battery N with N 0 to 100"),
        ("save", "missing argument; allowed: save FILE"),
        ("speed 0", "\"0\" does not fit; allowed: speed N with N 0.1 to 1000"),
        ("speed 1001", "\"1001\" does not fit; allowed: speed N with N 0.1 to 1000"),
        ("fault rain", "\"rain\" does not fit; allowed: \(faults)"),
        ("fault loss 101", "\"101\" does not fit; allowed: fault loss PERCENT with PERCENT 0 to 100"),
        ("fault jitter -1", "\"-1\" does not fit; allowed: fault jitter MS with MS 0 to 10000"),
        ("fault phone 60001", "\"60001\" does not fit; allowed: fault phone MS with MS 0 to 60000"),
        ("fault battery", "missing argument; allowed: fault battery charged or fault battery low"),
        ("hold on", "\"on\" does not fit; allowed: \(holding)"),
        ("hold row", "missing argument; allowed: \(holding)"),
        ("hold row 7", "\"7\" does not fit; allowed: \(holding)"),
        ("hold row 1 over 1s", "\"over\" does not fit; allowed: \(holding)"),
        ("hold row 1 for 11s", "\"11s\" does not fit; allowed: \(holding)"),
        ("hold crown for 1s", "\"for 1s\" does not fit; allowed: \(holding)"),
        ("drag 1 2 3 168", "\"168\" does not fit; allowed: \(dragging)"),
        ("drag 1 2 3 4 5", "\"5\" does not fit; allowed: \(dragging)"),
        ("drag 1 2 3 4 over 1", "\"1\" does not fit; allowed: \(dragging)"),
        ("swipe up", "\"up\" does not fit; allowed: swipe left or swipe right"),
        ("press top", "\"top\" does not fit; allowed: press crown or press side"),
        ("wait", "missing argument; allowed: \(waiting)"),
        ("wait -1s", "\"-1s\" does not fit; allowed: \(waiting)"),
        ("wait 99999999999s", "\"99999999999s\" does not fit; allowed: \(waiting)"),
        ("wait until ready", "\"ready\" does not fit; allowed: \(waiting)"),
        ("wait until setled", "\"setled\" does not fit, did you mean \"settled\"?; allowed: \(waiting)"),
        ("wait until row 1", "missing argument; allowed: \(waiting)"),
        ("wait until synced soon", "\"soon\" does not fit; allowed: \(waiting)"),
        ("expect colour red", "\"colour\" does not fit; allowed: \(expecting)"),
        ("expect upadted within 8ms", "\"upadted\" does not fit, did you mean \"updated\"?; allowed: \(expecting)"),
        ("expect title", "missing argument; allowed: expect title TEXT"),
        ("expect row Milk", "\"Milk\" does not fit; allowed: expect row N TEXT with N 1 to \(lastRow)"),
        ("expect row 1", "missing argument; allowed: expect row N TEXT with N 1 to \(lastRow)"),
        ("expect no Milk", "\"Milk\" does not fit; allowed: expect no row TEXT"),
        ("expect left -1", "\"-1\" does not fit; allowed: expect left N"),
        ("expect complication", "missing argument; allowed: expect complication TEXT"),
        ("expect haptics one", "\"one\" does not fit; allowed: expect haptics N with N 0 to 1000000"),
        ("expect updated in 8ms", "\"in\" does not fit; allowed: \(marking)"),
        ("expect updated within 8", "\"8\" does not fit; allowed: \(marking)"),
        ("expect screenshot list.gif", "\"list.gif\" does not fit; allowed: expect screenshot FILE.png"),
        ("phone call", "\"call\" does not fit; allowed: phone add TITLE, phone check ITEM or phone remove ITEM"),
        ("phone add", "missing argument; allowed: phone add TITLE"),
        ("repeat 0", "\"0\" does not fit; allowed: repeat N with N 1 to 10000"),
        ("repeat 10001", "\"10001\" does not fit; allowed: repeat N with N 1 to 10000"),
        ("repeat 2", "repeat without end; allowed: repeat N, commands, then end"),
        ("end", "end without repeat; allowed: end after repeat N"),
        ("end now", "\"now\" does not fit; allowed: end alone"),
        ("include", "missing argument; allowed: include FILE"),
        (
            "expect screen home",
            "\"home\" does not fit; allowed: expect screen face|list|status|title|pairing|sheet|past"
        ),
        ("screenshot watch.gif", "\"watch.gif\" does not fit; allowed: screenshot FILE.png"),
        ("screenshot .png", "\".png\" does not fit; allowed: screenshot FILE.png"),
        ("record a.mov", "\"a.mov\" does not fit; allowed: \(recording)"),
        ("record .gif", "\".gif\" does not fit; allowed: \(recording)"),
        ("time 7:30", "\"7:30\" does not fit; allowed: \(timing)"),
        ("time 10:08:60", "\"10:08:60\" does not fit; allowed: \(timing)"),
        ("time 10:08 now", "\"now\" does not fit; allowed: \(timing)"),
        ("time 2026-02-29 10:08", "\"2026-02-29\" does not fit; allowed: \(timing)"),
        ("time 2106-01-01 10:08", "\"2106-01-01\" does not fit; allowed: \(timing)"),
        ("zone 09:00", "\"09:00\" does not fit; allowed: \(zoning)"),
        ("zone +14:01", "\"+14:01\" does not fit; allowed: \(zoning)"),
        ("shake left", "unknown command \"shake\"; allowed: \(commands)"),
        ("TAP 1", "unknown command \"TAP\", did you mean \"tap\"?; allowed: \(commands)"),
    ])
    func `Every error says what is allowed and what was found`(line: String, message: String) throws {
        let error = #expect(throws: ScriptError.self) { try command(line) }
        #expect(error.map { "\($0)" } == "s:1: \(message)")
    }

    private func place(_ line: Int, _ file: String = "s") -> ScriptPlace { ScriptPlace(file: file, line: line) }

    @Test func `Statements know their lines`() throws {
        let text = "# shopping\n\ntap 1\r\n  wait 1s\n\n\nquit"
        let statements = try ScriptParser(file: "s").statements(in: text)
        #expect(
            statements == [
                ScriptStatement(.tap(row: 1, mayMiss: false), at: place(3)),
                ScriptStatement(.wait(.seconds(1)), at: place(4)),
                ScriptStatement(.quit, at: place(7)),
            ])
    }

    @Test func `The first wrong line of a script is named`() {
        let error = #expect(throws: ScriptError.self) {
            try ScriptParser(file: "shopping.tapline").statements(in: "tap 1\n# fine\ntap zero\nfly\n")
        }
        #expect(error?.line == 3)
        #expect(error?.file == "shopping.tapline")
    }

    @Test func `A repeat has what is before its end, another repeat included`() throws {
        let text = "repeat 2\ntap 1\nrepeat 3\ndescribe\nend\nend\nquit"
        let inner = ScriptStatement<ScriptCommand>(
            .repeat(times: 3, [ScriptStatement(.describe, at: place(4))]), at: place(3))
        #expect(
            try ScriptParser(file: "s").statements(in: text) == [
                ScriptStatement(
                    .repeat(times: 2, [ScriptStatement(.tap(row: 1, mayMiss: false), at: place(2)), inner]),
                    at: place(1)),
                ScriptStatement(.quit, at: place(7)),
            ])
    }

    @Test(arguments: [
        (
            String(repeating: "repeat 1\n", count: 9) + String(repeating: "end\n", count: 9),
            "s:9: more than 8 repeats inside one another"
        ),
        (
            "repeat 10000\nrepeat 101\nend\nend", "s:2: repeats inside one another run this more than a million times"
        ),
        ("repeat 2\nrepeat 3\nend", "s:1: repeat without end; allowed: repeat N, commands, then end"),
    ])
    func `Repeats are bounded, and end`(text: String, message: String) {
        let error = #expect(throws: ScriptError.self) { try ScriptParser(file: "s").statements(in: text) }
        #expect(error.map { "\($0)" } == message)
    }

    private func parser(_ files: [String: String]) -> ScriptParser {
        ScriptParser(file: "a/main.script") { path throws(ScriptError.Problem) in
            guard let text = files[path] else { throw .cannotRead(file: path, reason: "No such file or directory") }
            return text
        }
    }

    @Test func `An included file stands in its place, relative to the one that includes it`() throws {
        let parser = parser([
            "a/b/one.part": "tap 1\ninclude ../two.part", "a/b/../two.part": "describe", "/three": "step",
        ])
        #expect(
            try parser.statements(in: "include b/one.part\nrepeat 2\ninclude /three\nend") == [
                ScriptStatement(.tap(row: 1, mayMiss: false), at: place(1, "a/b/one.part")),
                ScriptStatement(.describe, at: place(1, "a/b/../two.part")),
                ScriptStatement(
                    .repeat(times: 2, [ScriptStatement(.step, at: place(1, "/three"))]), at: place(2, "a/main.script")),
            ])
    }

    @Test(arguments: [
        ("tap 1\ninclude none", "a/main.script:2: cannot read a/none: No such file or directory"),
        ("include wrong", "a/wrong:1: unknown command \"fly\"; allowed: \(commands)"),
        ("include self", "a/self:2: a/self includes itself: a/self, a/./self"),
        ("include cycle", "a/cycle:1: a/main.script includes itself: a/main.script, a/cycle, a/x/../main.script"),
        ("include open\nend", "a/open:1: repeat without end; allowed: repeat N, commands, then end"),
        ("repeat 2\ninclude closed\nend", "a/closed:1: end without repeat; allowed: end after repeat N"),
        ("include deep1", "a/deep15:1: more than 16 files inside one another"),
    ])
    func `What an included file does wrong is named in it`(text: String, message: String) {
        var files = [
            "a/wrong": "fly", "a/self": "\ninclude ./self", "a/cycle": "include x/../main.script", "a/open": "repeat 2",
            "a/closed": "end",
        ]
        for depth in 1...20 { files["a/deep\(depth)"] = "include deep\(depth + 1)" }
        let error = #expect(throws: ScriptError.self) { try parser(files).statements(in: text) }
        #expect(error.map { "\($0)" } == message)
    }

    @Test func `Files that include each other many times come to an end`() {
        var files = ["a/leaf": ""]
        for depth in 1..<14 {
            let next = depth == 13 ? "leaf" : "f\(depth + 1)"
            files["a/f\(depth)"] = "include \(next)\ninclude \(next)"
        }
        let error = #expect(throws: ScriptError.self) { try parser(files).statements(in: "include f1") }
        #expect(error?.problem == .other("more than 1000 included files"))
    }
}

@Suite struct SimilarWordTests {
    @Test(arguments: [
        ("tpa", "tap"), ("tapp", "tap"), ("Tap", "tap"), ("exepct", "expect"), ("descrbe", "describe"),
        ("incldue", "include"),
        ("scrennshot", "screenshot"), ("pone", "phone"),
    ])
    func `a typing error finds its word`(word: String, meant: String) {
        #expect(SimilarWord.to(word, among: ScriptCommand.commandNames) == meant)
    }

    @Test(arguments: ["shake", "", "fly", "zz", "expectation", "t"]) func `another word finds none`(word: String) {
        #expect(SimilarWord.to(word, among: ScriptCommand.commandNames) == nil)
    }
}
