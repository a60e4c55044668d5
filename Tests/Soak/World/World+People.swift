import DeviceModel
import PhoneHost
import Watch
import WatchLink

/// What wearers and owners do.
extension World {
    private static let nouns = [
        "Milk", "Bread", "Eggs", "Rice", "Salt", "Tea", "Figs", "Soap", "Leeks", "Honey", "Oats", "Pears", "Beans",
        "Plums", "Yeast", "Kale",
    ]

    func newTitle(for phone: Phone) -> String {
        titles += 1
        let title = "\(World.nouns[titles % World.nouns.count]) \(phone.letter)\(titles)"
        oracle.added(title, to: phone.number)
        return title
    }

    // MARK: Wearers

    /// A finger comes down on a row, and stays to see what happens.
    func tap(_ wrist: Wrist, row: Int) {
        guard let screen = look(at: wrist) else { return }
        wrist.note(screen)
        guard screen.screen != .past else { return touchPast(on: wrist, row: row, of: screen) }
        guard screen.screen == .list, let shown = screen.row(at: row), shown.state == .waiting else {
            touch(wrist, row: row)
            return
        }
        touching = wrist.run.map {
            WristTouch(
                watch: wrist.number, deed: .checkOff, title: shown.title, time: now,
                interrupt: $0.interrupt(ofFingerAt: now))
        }
        tell("\(wrist.name) taps \(shown.title)")
        touch(wrist, row: row)
        if touching != nil { concludeTouch() }
    }

    /// The wearer looks at the panel until it has rested long enough to be read: what the watch knows and has not drawn
    /// yet, nobody can mean, nor what has come up while the finger was on its way. Nil where it never rests.
    func look(at wrist: Wrist) -> ScreenDescription? {
        waitUntilIdle(wrist)
        var (changes, glances) = (0, 0)
        for _ in 0..<World.mostGlances {
            guard violation == nil, let run = wrist.run else { return nil }
            let isSame = run.isPanelCurrent && run.panelChanges == changes
            (changes, glances) = (run.panelChanges, isSame ? glances + 1 : 0)
            if glances == World.restingGlances { return run.describe() }
            self.run(for: World.glance)
            waitUntilIdle(wrist)
        }
        return nil
    }

    /// How far apart the glances of a wearer are.
    private static let glance = Microseconds.milliseconds(5)
    /// How many of them find the panel as it was, one after the other, where it rests: together a little more than it takes
    /// for a whole frame, and a touch controller at rest for a scan.
    private static let restingGlances = 14
    private static let mostGlances = 120

    /// Touches the panel, and waits until the watch has seen it.
    func touch(_ wrist: Wrist, row: Int) {
        guard let run = wrist.run else { return }
        let y = RowGeometry.rowTop(row % RowGeometry.rowsVisible) + RowGeometry.rowHeight / 2
        _ = run.take(.touch(x: 60, y: Int16(y)), at: now)
        let number = run.take(.lifted(x: 60, y: Int16(y)), at: now)
        follow(run, until: number, of: wrist)
    }

    func give(_ input: Input, to wrist: Wrist) {
        waitUntilIdle(wrist)
        guard let run = wrist.run else { return }
        follow(run, until: run.take(input, at: now), of: wrist)
    }

    private func follow(_ run: any WristRun, until number: InputNumber, of wrist: Wrist) {
        let limit = now + .seconds(2)
        while violation == nil, wrist.run === run, run.handled < number, now < limit { step(until: limit) }
    }

    private func waitUntilIdle(_ wrist: Wrist) {
        while violation == nil, let run = wrist.run, run.now > now { step(until: run.now) }
    }

    /// The wearer has seen what the touch did, or that the watch has gone dark under the finger. Nobody sees what the program
    /// does in the dark: its flash chip does not answer, so it takes the tap back, although the tap's record may be whole.
    func concludeTouch() {
        guard let touch = touching else { return }
        touching = nil
        let wrist = wrists[touch.watch]
        guard let run = wrist.run else { return }
        switch touch.deed {
        case .checkOff:
            let isStruck = run.describe().rows.contains { $0.title == touch.title && $0.state == .struck }
            if isStruck || !wrist.flash.hasPower {
                oracle.saw(touch.title, struckOn: touch.watch, at: touch.interrupt)
            } else {
                wrist.unseen = touch
                tell("\(touch.title) is not struck")
            }
        case .addition:
            // The sheet changes for other reasons too, so what is felt says whether the touch was one.
            if wrist.hasPulsed || !wrist.flash.hasPower {
                oracle.saw(touch.title, touch.deed, on: touch.watch, at: touch.interrupt)
            } else {
                tell("\(touch.title) is not added")
            }
        }
        takePulses(of: wrist)
    }
}
