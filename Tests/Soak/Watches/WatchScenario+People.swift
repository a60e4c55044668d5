import DeviceModel
import PhoneHost
import Watch
import WatchLink

extension WatchScenario {
    private static let nouns = [
        "Milk", "Bread", "Eggs", "Rice", "Salt", "Tea", "Figs", "Soap", "Leeks", "Honey", "Oats", "Pears", "Beans",
        "Plums", "Yeast", "Kale",
    ]

    func newTitle(for phone: PhoneComputer) -> String {
        titles += 1
        let title = "\(WatchScenario.nouns[titles % WatchScenario.nouns.count]) \(phone.letter)\(titles)"
        oracle.added(title, to: phone.number)
        return title
    }

    // MARK: Wearers

    func tap(_ wearer: SimulatedWearer, row: Int) {
        guard let screen = look(at: wearer) else { return }
        wearer.note(screen)
        guard screen.screen != .past else { return touchPast(on: wearer, row: row, of: screen) }
        guard screen.screen == .list, let shown = screen.row(at: row), shown.state == .waiting else {
            touch(wearer, row: row)
            return
        }
        touching = wearer.run.map {
            PendingTouch(
                watch: wearer.number, deed: .checkOff, title: shown.title, time: now,
                interrupt: $0.interrupt(ofFingerAt: now))
        }
        tell("\(wearer.name) taps \(shown.title)")
        touch(wearer, row: row)
        if touching != nil { concludeTouch() }
    }

    /// Waits until the panel has rested long enough to be read, and returns the screen; nil if the panel never rests.
    /// Wearers tap only what they have had time to read.
    func look(at wearer: SimulatedWearer) -> ScreenDescription? {
        waitUntilIdle(wearer)
        var (changes, glances) = (0, 0)
        for _ in 0..<WatchScenario.mostGlances {
            guard violation == nil, let run = wearer.run else { return nil }
            let isSame = run.isPanelCurrent && run.panelChanges == changes
            (changes, glances) = (run.panelChanges, isSame ? glances + 1 : 0)
            if glances == WatchScenario.restingGlances { return run.describe() }
            self.run(for: WatchScenario.glance)
            waitUntilIdle(wearer)
        }
        return nil
    }

    /// The time between two glances of the wearer.
    private static let glance = Microseconds.milliseconds(5)
    /// The panel is at rest when this many glances have found it unchanged. The glances take 70 ms: a full frame, one
    /// scan of a resting touch controller, and a little more.
    private static let restingGlances = 14
    private static let mostGlances = 120

    func touch(_ wearer: SimulatedWearer, row: Int) {
        guard let run = wearer.run else { return }
        let y = RowGeometry.rowTop(row % RowGeometry.rowsVisible) + RowGeometry.rowHeight / 2
        _ = run.take(.touch(x: 60, y: Int16(y)), at: now)
        let number = run.take(.lifted(x: 60, y: Int16(y)), at: now)
        follow(run, until: number, of: wearer)
    }

    func give(_ input: Input, to wearer: SimulatedWearer) {
        waitUntilIdle(wearer)
        guard let run = wearer.run else { return }
        follow(run, until: run.take(input, at: now), of: wearer)
    }

    private func follow(_ run: any WearerProgram, until number: InputNumber, of wearer: SimulatedWearer) {
        let limit = now + .seconds(2)
        while violation == nil, wearer.run === run, run.handled < number, now < limit { step(until: limit) }
    }

    private func waitUntilIdle(_ wearer: SimulatedWearer) {
        while violation == nil, let run = wearer.run, run.now > now { step(until: run.now) }
    }

    /// Records what the wearer sees after a touch. If the watch has lost its power, the touch counts as seen, because
    /// the flash may have a complete record of the tap.
    func concludeTouch() {
        guard let touch = touching else { return }
        touching = nil
        let wearer = wearers[touch.watch]
        guard let run = wearer.run else { return }
        switch touch.deed {
        case .checkOff:
            let isStruck = run.describe().rows.contains { $0.title == touch.title && $0.state == .struck }
            if isStruck || !wearer.flash.hasPower {
                oracle.saw(touch.title, struckOn: touch.watch, at: touch.interrupt)
            } else {
                wearer.unseen = touch
                tell("\(touch.title) is not struck")
            }
        case .addition:
            // The sheet also changes for other reasons. Only a haptic pattern shows that the touch added the item.
            if wearer.hasPulsed || !wearer.flash.hasPower {
                oracle.saw(touch.title, touch.deed, on: touch.watch, at: touch.interrupt)
            } else {
                tell("\(touch.title) is not added")
            }
        }
        takePulses(of: wearer)
    }
}
