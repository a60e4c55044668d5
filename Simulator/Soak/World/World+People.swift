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
        guard screen.screen == .list, let shown = screen.row(at: row), shown.state == .waiting else {
            touch(wrist, row: row)
            return
        }
        touching = WristTouch(watch: wrist.number, title: shown.title, time: now)
        tell("\(wrist.name) taps \(shown.title)")
        touch(wrist, row: row)
        if touching != nil { concludeTouch() }
    }

    /// The wearer looks at the panel until it has rested long enough to be read: what the watch knows and has not drawn yet,
    /// nobody can mean. Nil where it never rests.
    private func look(at wrist: Wrist) -> ScreenDescription? {
        waitUntilIdle(wrist)
        for _ in 0..<20 {
            guard violation == nil, let before = wrist.run?.describe() else { return nil }
            run(for: World.glance)
            waitUntilIdle(wrist)
            guard let run = wrist.run, case let after = run.describe() else { return nil }
            if run.isPanelCurrent, after.rows == before.rows, after.firstVisibleRow == before.firstVisibleRow,
                after.screen == before.screen
            {
                return after
            }
        }
        return nil
    }

    /// A little more than the panel takes for a whole frame.
    private static let glance = Microseconds.milliseconds(20)

    /// Touches the panel, and waits until the watch has seen it.
    func touch(_ wrist: Wrist, row: Int) {
        guard let run = wrist.run else { return }
        let y = RowGeometry.rowTop(row % RowGeometry.rowsVisible) + RowGeometry.rowHeight / 2
        let number = run.take(.touch(x: 60, y: Int16(y)), at: now)
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
        let isStruck = run.describe().rows.contains { $0.title == touch.title && $0.state == .struck }
        if isStruck || !wrist.flash.hasPower {
            oracle.saw(touch.title, struckOn: touch.watch, at: touch.time)
        } else {
            wrist.unseen = touch
            tell("\(touch.title) is not struck")
        }
        takePulses(of: wrist)
    }
}
