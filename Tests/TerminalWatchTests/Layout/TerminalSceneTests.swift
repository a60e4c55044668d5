import DeviceModel
import Testing
import Watch

@testable import TerminalWatch

struct TerminalSceneTests {
    /// A terminal of a size that shows the fake watch.
    private func scene(_ columns: Int, _ rows: Int, _ watch: FakeWatch) -> TerminalScene {
        var scene = TerminalScene(size: CellSize(columns: columns, rows: rows), name: "Tapline")
        scene.frame = watch.snapshot.frame
        scene.description = watch.snapshot.description
        scene.status = WatchStatus(name: "Tapline", snapshot: watch.snapshot, patternsOver: 0)
        return scene
    }

    private func text(_ scene: TerminalScene) -> [String] {
        let picture = scene.picture()
        return (0..<picture.size.rows).map { picture.text(row: $0) }
    }

    @Test func `in 10 by 5 cells the list can be read and tapped`() throws {
        let watch = try FakeWatch()
        let scene = scene(10, 5, watch)
        #expect(
            text(scene) == ["Groceri… 10", "1 Milk", "2 Sourdou…", "3 Eggs, a…", "● ? help"].map { $0.fitting(10) })
        #expect(scene.command(forPressAt: CellPoint(column: 4, row: 2)) == .tapVisibleRow(1))
        #expect(scene.command(forPressAt: CellPoint(column: 4, row: 0)) == .nothing)
    }

    @Test func `no size is too small, nor does any draw beyond the terminal`() throws {
        let watch = try FakeWatch()
        watch.send(.touch(x: 70, y: 40))
        for columns in [0, 1, 2, 5, 10, 29, 30, 31, 50, 72, 74, 76, 78, 80, 110, 200] {
            for rows in [0, 1, 2, 3, 5, 8, 9, 20, 24, 44, 46, 48, 51, 60, 90] {
                for cover in [TerminalScene.Cover.none, .help, .faults] {
                    var scene = scene(columns, rows, watch)
                    scene.cover = cover
                    #expect(scene.picture().size == CellSize(columns: columns, rows: rows))
                }
            }
        }
    }

    @Test func `beside the watch stands what the display does not show`() throws {
        let watch = try FakeWatch()
        watch.send(.touch(x: 70, y: 40))
        let all = text(scene(124, 50, watch)).joined(separator: "\n")
        for part in [
            "reachable", "nothing waiting", "9 left", "touch", "handled", "updated", "settled", "durable", "sent",
            "committed", "acknowledged", "11.3", "click", "turn the crown",
        ] {
            #expect(all.contains(part), "\(part)")
        }
    }

    @Test func `without room for a panel the case says the most important of it`() throws {
        let watch = try FakeWatch()
        watch.send(.touch(x: 70, y: 40))
        let lines = text(scene(80, 24, watch))
        #expect(lines.first?.contains("Tapline") == true)
        #expect(lines.first?.contains("● reachable") == true)
        #expect(lines.last?.contains("9 left ─ updated in 3.4 ms") == true)
        #expect(lines.last?.contains("? help") == true)
    }

    @Test func `a click on the display is a touch of the pixel under it`() throws {
        let scene = scene(80, 24, try FakeWatch())
        guard case .display(let layout) = scene.layout else {
            Issue.record("no display")
            return
        }
        let point = CellPoint(column: layout.window.origin.column + 10, row: layout.window.origin.row + 8)
        #expect(scene.command(forPressAt: point) == .input(.touch(x: 21, y: 34)))
    }

    @Test(arguments: [(120, 50), (80, 24), (100, 60), (40, 12), (20, 6)])
    func `a paused watch looks paused in a terminal of every size`(columns: Int, rows: Int) throws {
        let clock = HostClock().control
        clock.pause()
        var scene = scene(columns, rows, try FakeWatch())
        #expect(!text(scene).joined().contains("paused"))
        scene.status.control = .some(clock.state, WatchFaults())
        #expect(text(scene).joined().contains("paused"))
    }

    @Test func `the faults are listed with their keys, and those of a watch without any are not`() throws {
        var scene = scene(80, 24, try FakeWatch())
        scene.cover = .faults
        #expect(text(scene).joined().contains("only on the simulated watch"))
        var faults = WatchFaults()
        faults.make(.loss(percent: 30), at: .start)
        scene.status.control = .some(ClockState(), faults)
        let lines = text(scene)
        #expect(lines.contains { $0.contains("1  link loss      30 %") })
        #expect(lines.contains { $0.contains("0  no faults") })
        #expect(scene.command(forPressAt: CellPoint(column: 40, row: 12)) == .toggleFaults)
    }

    @Test func `a click while the help is shown puts it away`() throws {
        var scene = scene(80, 24, try FakeWatch())
        scene.cover = .help
        #expect(scene.command(forPressAt: CellPoint(column: 40, row: 12)) == .toggleHelp)
    }

    @Test func `a struck row is marked where rows are written as text`() throws {
        let watch = try FakeWatch()
        watch.send(.touch(row: 0))
        #expect(text(scene(12, 5, watch))[1] == "✓ Milk")
    }

    @Test func `a title cannot reach the terminal as an escape sequence`() throws {
        let watch = try FakeWatch(rows: ["\u{1B}]0;owned\u{7}", "\u{202E}right", "🥛 牛乳"])
        for size in [(12, 6), (80, 24), (124, 50)] {
            let all = text(scene(size.0, size.1, watch)).joined()
            #expect(all.unicodeScalars.allSatisfy { ScalarWidth($0) != .unprintable })
        }
    }
}

extension String {
    /// The heading of the test above takes ten columns, one less than it is written with here.
    fileprivate func fitting(_ columns: Int) -> String {
        count <= columns ? self : "Grocer… 10"
    }
}
