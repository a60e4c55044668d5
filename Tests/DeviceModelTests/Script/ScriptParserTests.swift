import Testing
import Watch
import WatchLink

@testable import DeviceModel

@Suite struct ScriptParserTests {
    private func command(_ line: String) throws -> ScriptCommand? {
        try ScriptParser(file: "s").statement(in: line, number: 1)?.command
    }

    private static let waiting = "wait DURATION such as 200ms or 2s, or wait until synced [DURATION]"
    private static let expecting =
        "expect title TEXT, expect row N TEXT or expect screen face|list|status|title|pairing|sheet"
    private static let commands =
        "tap, touch, crown, press, hold, wait, expect, screenshot, describe, pause, resume, step, speed, fault, quit"
    private static let faults =
        "fault loss PERCENT, cut [DURATION], open, jitter MS, phone MS, flash typical|maximum, battery charged|low or none"
    private static let lastRow = RowGeometry.rowsVisible - 1

    @Test(arguments: [
        ("tap 0", ScriptCommand.tap(row: 0)),
        ("tap \(lastRow)", .tap(row: lastRow)),
        ("touch 0 167", .touch(x: 0, y: 167)),
        ("touch 143 0", .touch(x: 143, y: 0)),
        ("crown 3", .crown(detents: 3)),
        ("crown -128", .crown(detents: -128)),
        ("press crown", .press(.crown)),
        ("press side", .press(.side)),
        ("hold crown", .hold(.crown)),
        ("hold side", .hold(.side)),
        ("wait 200ms", .wait(.milliseconds(200))),
        ("wait 2s", .wait(.seconds(2))),
        ("wait until synced", .waitUntilSynchronized(within: .seconds(30))),
        ("wait until synced 5s", .waitUntilSynchronized(within: .seconds(5))),
        ("wait until synced 750ms", .waitUntilSynchronized(within: .milliseconds(750))),
        ("expect title Groceries", .expect(.title("Groceries"))),
        ("expect title For the  party # 2", .expect(.title("For the  party # 2"))),
        ("expect row 2 Brötchen, zwölf", .expect(.row(2, "Brötchen, zwölf"))),
        ("expect screen face", .expect(.screen(.face))),
        ("expect screen list", .expect(.screen(.list))),
        ("screenshot shots/my watch.png", .screenshot(file: "shots/my watch.png")),
        ("describe", .describe),
        ("quit", .quit),
        ("pause", .pause),
        ("resume", .resume),
        ("step", .step),
        ("speed 0.1", .speed(ClockSpeed(0.1) ?? .real)),
        ("speed 1000", .speed(ClockSpeed(1_000) ?? .real)),
        ("fault loss 30", .fault(.loss(percent: 30))),
        ("fault cut", .fault(.cut)),
        ("fault cut 5s", .fault(.cutFor(.seconds(5)))),
        ("fault open", .fault(.open)),
        ("fault jitter 50", .fault(.jitter(.milliseconds(50)))),
        ("fault phone 2000", .fault(.phone(.seconds(2)))),
        ("fault flash maximum", .fault(.flash(.maximum))),
        ("fault flash typical", .fault(.flash(.typical))),
        ("fault battery low", .fault(.battery(.low))),
        ("fault battery charged", .fault(.battery(.sufficient))),
        ("fault none", .fault(.none)),
        ("  \ttap\t 1  ", .tap(row: 1)),
    ])
    func `Every command has its form`(line: String, expected: ScriptCommand) throws {
        #expect(try command(line) == expected)
    }

    @Test(arguments: ["", "   \t", "# a comment", "   # tap 0", "#"])
    func `Blank lines and comments hold nothing`(line: String) throws {
        #expect(try command(line) == nil)
    }

    @Test(arguments: [
        ("tap", "missing argument; allowed: tap ROW with ROW 0 to \(lastRow)"),
        ("tap x", "\"x\" does not fit; allowed: tap ROW with ROW 0 to \(lastRow)"),
        ("tap -1", "\"-1\" does not fit; allowed: tap ROW with ROW 0 to \(lastRow)"),
        ("tap \(lastRow + 1)", "\"\(lastRow + 1)\" does not fit; allowed: tap ROW with ROW 0 to \(lastRow)"),
        ("tap 0 1", "\"1\" does not fit; allowed: tap ROW with ROW 0 to \(lastRow)"),
        ("touch 1", "missing argument; allowed: touch X Y with X 0 to 143 and Y 0 to 167"),
        ("touch 144 0", "\"144\" does not fit; allowed: touch X Y with X 0 to 143 and Y 0 to 167"),
        ("touch 0 168", "\"168\" does not fit; allowed: touch X Y with X 0 to 143 and Y 0 to 167"),
        ("crown 128", "\"128\" does not fit; allowed: crown N with N -128 to 127"),
        ("crown", "missing argument; allowed: crown N with N -128 to 127"),
        ("pause now", "\"now\" does not fit; allowed: pause alone"),
        ("step 2", "\"2\" does not fit; allowed: step alone"),
        ("speed", "missing argument; allowed: speed N with N 0.1 to 1000"),
        ("speed 0", "\"0\" does not fit; allowed: speed N with N 0.1 to 1000"),
        ("speed 1001", "\"1001\" does not fit; allowed: speed N with N 0.1 to 1000"),
        ("fault", "missing argument; allowed: \(faults)"),
        ("fault rain", "\"rain\" does not fit; allowed: \(faults)"),
        ("fault loss 101", "\"101\" does not fit; allowed: fault loss PERCENT with PERCENT 0 to 100"),
        ("fault jitter -1", "\"-1\" does not fit; allowed: fault jitter MS with MS 0 to 10000"),
        ("fault phone 60001", "\"60001\" does not fit; allowed: fault phone MS with MS 0 to 60000"),
        ("fault battery", "missing argument; allowed: fault battery charged or fault battery low"),
        ("hold on", "\"on\" does not fit; allowed: hold crown or hold side"),
        ("press top", "\"top\" does not fit; allowed: press crown or press side"),
        ("wait", "missing argument; allowed: \(waiting)"),
        ("wait 200", "\"200\" does not fit; allowed: \(waiting)"),
        ("wait -1s", "\"-1s\" does not fit; allowed: \(waiting)"),
        ("wait ms", "\"ms\" does not fit; allowed: \(waiting)"),
        ("wait 99999999999s", "\"99999999999s\" does not fit; allowed: \(waiting)"),
        ("wait until", "missing argument; allowed: \(waiting)"),
        ("wait until ready", "\"ready\" does not fit; allowed: \(waiting)"),
        ("wait until synced soon", "\"soon\" does not fit; allowed: \(waiting)"),
        ("expect", "missing argument; allowed: \(expecting)"),
        ("expect colour red", "\"colour\" does not fit; allowed: \(expecting)"),
        ("expect title", "missing argument; allowed: expect title TEXT"),
        ("expect row Milk", "\"Milk\" does not fit; allowed: expect row N TEXT with N 0 to \(lastRow)"),
        ("expect row 0", "missing argument; allowed: expect row N TEXT with N 0 to \(lastRow)"),
        ("expect screen home", "\"home\" does not fit; allowed: expect screen face|list|status|title|pairing|sheet"),
        ("screenshot", "missing argument; allowed: screenshot FILE.png"),
        ("screenshot watch.gif", "\"watch.gif\" does not fit; allowed: screenshot FILE.png"),
        ("screenshot .png", "\".png\" does not fit; allowed: screenshot FILE.png"),
        ("describe it", "\"it\" does not fit; allowed: describe alone"),
        ("quit now", "\"now\" does not fit; allowed: quit alone"),
        ("swipe left", "unknown command \"swipe\"; allowed: \(commands)"),
        ("TAP 0", "unknown command \"TAP\"; allowed: \(commands)"),
    ])
    func `Every error says what is allowed and what was found`(line: String, message: String) throws {
        let error = #expect(throws: ScriptError.self) { try command(line) }
        #expect(error.map { "\($0)" } == "s:1: \(message)")
    }

    @Test func `Statements know their lines`() throws {
        let text = "# shopping\n\ntap 0\r\n  wait 1s\n\n\nquit"
        let statements = try ScriptParser(file: "s").statements(in: text)
        #expect(
            statements == [
                ScriptStatement(.tap(row: 0), line: 3), ScriptStatement(.wait(.seconds(1)), line: 4),
                ScriptStatement(.quit, line: 7),
            ])
    }

    @Test func `The first wrong line of a script is named`() {
        let error = #expect(throws: ScriptError.self) {
            try ScriptParser(file: "shopping.tapline").statements(in: "tap 0\n# fine\ntap zero\nfly\n")
        }
        #expect(error?.line == 3)
        #expect(error?.file == "shopping.tapline")
    }
}
