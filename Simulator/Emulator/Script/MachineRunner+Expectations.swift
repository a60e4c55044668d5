import DeviceModel
import WatchLink

extension MachineRunner {
    /// The maximum time from a touch until the panel stops changing: 3 s, in cycles. After this time, `expect updated` fails.
    private static let longestUpdate: UInt64 = 3 * Machine.cyclesPerSecond

    mutating func check(_ expectation: MachineCommand.Expectation) throws(ScriptError) -> String? {
        switch expectation {
        case .screenshot(let file): try checkScreenshot(place.path(of: file))
        case .motor(let count):
            defer { motorRuns = 0 }
            if let count {
                try expect(motorRuns == count, "the motor to run \(count) times", "\(motorRuns) times")
            } else {
                try expect(motorRuns > 0, "the motor to run", "that it stood still")
            }
        case .updated(let limit): return try checkUpdate(within: limit)
        case .awake: try expect(isAwake, "a panel that shows something", "a dark panel")
        case .asleep: try expect(!isAwake, "a dark panel", "one that shows something")
        case .events(let count, let missed):
            guard let counts = machine.part.air.central?.counts else {
                throw error(
                    .expectationFailed(expected: "a connection", found: "no phone: phone connect NAME makes one"))
            }
            try expect(
                counts.events >= count && counts.missed <= missed,
                "at least \(count) connection events, at most \(missed) of them missed",
                "\(counts.events) events, \(counts.missed) missed")
            return "\(counts.events) events, \(counts.missed) missed"
        }
        return nil
    }

    private func expect(_ isMet: Bool, _ expected: String, _ found: String) throws(ScriptError) {
        guard isMet else { throw error(.expectationFailed(expected: expected, found: found)) }
    }

    private func checkScreenshot(_ file: String) throws(ScriptError) {
        let (bytes, wanted): ([UInt8], ColourPicture)
        do throws(DeviceModelError) { bytes = try HostFile.readWhole(file) } catch {
            throw self.error(.cannotRead(file: file, reason: error.reason))
        }
        do throws(PictureError) { wanted = try PortableNetworkGraphics.colourPicture(in: bytes) } catch {
            throw self.error(.cannotRead(file: file, reason: "\(error)"))
        }
        let shown = machine.board.picture.colours
        let (size, other) = (shown.size, wanted.size)
        try expect(
            size == other, "the picture of \(file), \(other.width) x \(other.height)",
            "a panel of \(size.width) x \(size.height)")
        let differences = shown.pixels.indices.filter { shown.pixels[$0] != wanted.pixels[$0] }
        guard let first = differences.first else { return }
        throw error(
            .expectationFailed(
                expected: "the picture of \(file)",
                found: "\(differences.count) other pixels, the first at \(first % size.width),\(first / size.width)"))
    }

    /// Runs two copies of the machine, one with the last touch and one without it, to find what the touch changed on the panel.
    /// Throws if the panel did not change, or if the change ended more than `limit` after the touch. Otherwise, returns the
    /// times as text.
    private func checkUpdate(within limit: Microseconds) throws(ScriptError) -> String {
        let expected = "the panel to be updated within \(limit.count / 1_000) ms"
        guard let touch else { throw error(.expectationFailed(expected: expected, found: "no touch before it")) }
        var (touched, untouched) = (machine, touch.before)
        touched.removeStops()
        untouched.removeStops()
        _ = untouched.part.board.takePanelWrites()
        var writes = touch.writes
        var otherWrites: [PanelWrite] = []
        var end = max(machine.now, touch.start + limit.count * 64) + PanelUpdate.pause
        while true {
            for isOther in [false, true] {
                let stop = isOther ? untouched.run(until: end) : touched.run(until: end)
                if let stop { throw error(.other(CrashReport.line(stop, in: isOther ? untouched : touched))) }
            }
            writes += touched.part.board.takePanelWrites()
            otherWrites += untouched.part.board.takePanelWrites()
            switch PanelUpdate.outcome(touched: writes, untouched: otherWrites, until: end) {
            case .none:
                let found = "that it has not changed" + busyLoop(touched)
                throw error(.expectationFailed(expected: expected, found: found))
            case .settled(let update):
                let length = update.last - min(touch.start, update.last)
                let words = "\(MachineRunner.milliseconds(length)) ms"
                try expect(length <= limit.count * 64, expected, words)
                let first = MachineRunner.milliseconds(update.first - min(touch.start, update.first))
                return "\(words), first pixel after \(first) ms, \(update.writes) writes, \(update.pixels) pixels"
            case .unsettled:
                guard end < touch.start + MachineRunner.longestUpdate else {
                    throw error(
                        .expectationFailed(expected: expected, found: "that it changes without a pause of 250 ms"))
                }
                end += PanelUpdate.pause
            }
        }
    }
}
