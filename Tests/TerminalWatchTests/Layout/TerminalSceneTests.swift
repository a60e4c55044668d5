import DeviceModel
import Testing
import Watch

@testable import TerminalWatch

struct TerminalSceneTests {
    private func scene(
        _ columns: Int, _ rows: Int, _ watch: FakeWatch, view: ViewPreference = .automatic
    ) -> TerminalScene {
        var scene = TerminalScene(size: CellSize(columns: columns, rows: rows), label: .sample)
        scene.view = view
        scene.frame = watch.snapshot.frame
        scene.status = WatchStatus(label: .sample, snapshot: watch.snapshot, patternsOver: 0)
        return scene
    }

    private func text(_ scene: TerminalScene) -> [String] {
        let picture = scene.picture()
        return (0..<picture.size.rows).map { picture.text(row: $0) }
    }

    private func touched(by command: TerminalCommand) -> PanelPixel? {
        if case .touch(let pixel) = command { pixel } else { nil }
    }

    @Test func `in 10 by 5 cells a part of the list can be read, tapped and moved`() throws {
        let watch = try FakeWatch()
        var scene = scene(10, 5, watch)
        #expect(text(scene)[2].contains("1 Milk"))
        let pixel = try #require(touched(by: scene.command(forPressAt: CellPoint(column: 4, row: 2))))
        #expect(RowGeometry.row(atY: pixel.y) == 0)
        scene.origin = CellPoint(column: 0, row: 4)
        #expect(text(scene)[3].contains("6 Oliv"))
    }

    @Test func `no size is too small, nor does any draw beyond the terminal`() throws {
        let watch = try FakeWatch()
        watch.send(.tap(x: 70, y: 40))
        for columns in [0, 1, 2, 5, 10, 29, 30, 31, 50, 72, 74, 76, 78, 80, 110, 200] {
            for rows in [0, 1, 2, 3, 5, 8, 9, 20, 24, 44, 46, 48, 51, 60, 90] {
                for cover in [TerminalScene.Cover.none, .help(page: 0), .help(page: 1), .faults] {
                    var scene = scene(columns, rows, watch)
                    scene.cover = cover
                    #expect(scene.picture().size == CellSize(columns: columns, rows: rows))
                }
            }
        }
    }

    @Test func `beside the watch stands what the display does not show`() throws {
        let watch = try FakeWatch()
        watch.send(.tap(x: 70, y: 40))
        let all = text(scene(124, 50, watch)).joined(separator: "\n")
        for part in [
            "reachable", "nothing waiting", "9 left", "touch", "handled", "updated", "gone", "durable", "sent",
            "committed", "acknowledged", "11.3", "click", "turn the crown",
        ] {
            #expect(all.contains(part), "\(part)")
        }
    }

    @Test func `without room for a panel the case says the most important of it`() throws {
        let watch = try FakeWatch()
        watch.send(.tap(x: 70, y: 40))
        let lines = text(scene(80, 24, watch, view: .always(.braille)))
        #expect(lines.first?.contains("Tapline ─ memory-lcd ─ shipping ─ braille") == true)
        #expect(lines.first?.contains("● reachable") == true)
        #expect(lines.last?.contains("9 left ─ updated in 3.4 ms") == true)
        #expect(lines.last?.contains("? help") == true)
    }

    @Test func `in 80 by 24 cells the whole panel is text, and a click on a line touches what it says`() throws {
        let watch = try FakeWatch()
        let scene = scene(80, 24, watch)
        let lines = text(scene)
        for (position, title) in FakeWatch.groceries.prefix(RowGeometry.rowsVisible).enumerated() {
            let row = try #require(lines.firstIndex { $0.contains("\(position + 1) \(title)") }, "\(title)")
            let pixel = try #require(touched(by: scene.command(forPressAt: CellPoint(column: 12, row: row))))
            #expect(RowGeometry.row(atY: pixel.y) == position)
        }
        let title = try #require(lines.firstIndex { $0.contains("Groceries") })
        let pixel = try #require(touched(by: scene.command(forPressAt: CellPoint(column: 12, row: title))))
        #expect(pixel.y < RowGeometry.titleBarHeight)
    }

    @Test func `the crown and the side button can be pressed in every view`() throws {
        for view in [ViewPreference.always(.text), .always(.braille)] {
            let scene = scene(80, 24, try FakeWatch(), view: view)
            let crown = try #require(scene.layout.crown)
            let button = try #require(scene.layout.sideButton)
            #expect(scene.command(forPressAt: crown.origin) == .input(.press(.crown)))
            #expect(scene.command(forPressAt: button.origin) == .input(.press(.side)))
        }
    }

    @Test(arguments: [(80, 24), (80, 45), (132, 43), (124, 50), (80, 60)])
    func `profile, handler, view and pace stand on the screen`(columns: Int, rows: Int) throws {
        for view in [ViewPreference.automatic, .always(.braille), .always(.text)] {
            var scene = scene(columns, rows, try FakeWatch(), view: view)
            scene.status.simulation = WatchStatus.Simulation()
            let layout = scene.layout
            let all = text(scene).joined(separator: "\n")
            for part in ["memory-lcd", "shipping", layout.picture.kind.rawValue, "speed 1x"] {
                #expect(all.contains(part), "\(part) in \(columns) x \(rows), \(view)")
            }
        }
    }

    @Test(arguments: [(80, 24), (124, 50), (80, 60)]) func `without a phone it is said how to start one`(
        columns: Int, rows: Int
    ) throws {
        for view in [ViewPreference.always(.braille), .always(.text)] {
            let watch = try FakeWatch()
            watch.change { $0.description.link = .down }
            #expect(text(scene(columns, rows, watch, view: view)).joined().contains("tapline phone serve"))
        }
    }

    @Test(arguments: [(120, 50), (80, 24), (100, 60), (40, 12), (20, 6)])
    func `a paused watch looks paused in a terminal of every size`(columns: Int, rows: Int) throws {
        let clock = HostClock().control
        clock.pause()
        var scene = scene(columns, rows, try FakeWatch())
        #expect(!text(scene).joined().contains("paused"))
        scene.status.simulation = WatchStatus.Simulation(clock: clock.state)
        #expect(text(scene).joined().contains("paused"))
    }

    @Test func `the faults are listed with their keys, and those of a watch without any are not`() throws {
        var scene = scene(80, 24, try FakeWatch())
        scene.cover = .faults
        #expect(text(scene).joined().contains("only on the simulated watch"))
        var faults = WatchFaults()
        faults.make(.loss(percent: 30), at: .start)
        scene.status.simulation = WatchStatus.Simulation(faults: faults)
        let lines = text(scene)
        #expect(lines.contains { $0.contains("1  link loss      30 %") })
        #expect(lines.contains { $0.contains("0  no faults") })
        #expect(scene.command(forPressAt: CellPoint(column: 40, row: 12)) == .toggleFaults)
    }

    @Test func `a click while the help is shown puts it away`() throws {
        var scene = scene(80, 24, try FakeWatch())
        scene.cover = .help(page: 0)
        #expect(scene.command(forPressAt: CellPoint(column: 40, row: 12)) == .toggleHelp)
    }
}
