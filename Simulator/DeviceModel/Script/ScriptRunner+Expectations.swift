import Glibc
import HostSystem
import Watch
import WatchLink

extension ScriptRunner {
    mutating func judge(_ expectation: ScriptExpectation) throws(ScriptError) {
        switch expectation {
        case .screen(let screen):
            switch screen.verdict(on: try settled().description) {
            case .met: break
            case .failed(let expected, let found): throw error(.expectationFailed(expected: expected, found: found))
            }
        case .mark(let mark, let limit): try judge(mark, within: limit)
        case .moment(let moment, let limit): try judge(moment, within: limit)
        case .haptics(let count): try judgeHaptics(count)
        case .screenshot(let file): try judgeScreenshot(place.path(of: file))
        }
    }

    /// How much longer than allowed a mark is waited for: a row that was struck stays for 250 ms, which is not counted.
    private static let patience = Microseconds.seconds(1)

    /// Judges a mark of the last tap, once it is there.
    private mutating func judge(_ mark: ScriptMark, within limit: Microseconds) throws(ScriptError) {
        let expected = "the last tap to be \(mark.rawValue) within \(limit.inMilliseconds) ms"
        let snapshot = try settled()
        guard let tap = snapshot.taps.last?.tap else {
            throw error(.expectationFailed(expected: expected, found: "no tap"))
        }
        var reached = mark.time(of: tap, in: snapshot)
        if reached == nil, !device.isPaused {
            let outcome = device.wait(patiently: limit + ScriptRunner.patience) { mark.time(of: tap, in: $0) != nil }
            reached = mark.time(of: tap, in: outcome.snapshot)
        }
        guard let reached else {
            throw error(.expectationFailed(expected: expected, found: "that it is not \(mark.rawValue) yet"))
        }
        guard reached <= limit else {
            throw error(.expectationFailed(expected: expected, found: "\(reached.inMilliseconds) ms"))
        }
    }

    /// Judges how long the wearer waited for something the last time.
    private mutating func judge(_ moment: WatchMoment, within limit: Microseconds) throws(ScriptError) {
        let expected = "the panel to have \(moment.participle) within \(limit.inMilliseconds) ms"
        let snapshot = try settled()
        guard let record = snapshot.output.moments.records.last(where: { $0.moment == moment }) else {
            throw error(.expectationFailed(expected: expected, found: "that nothing has \(moment.participle)"))
        }
        guard record.length <= limit else {
            throw error(.expectationFailed(expected: expected, found: "\(record.length.inMilliseconds) ms"))
        }
    }

    /// Judges the number of haptic patterns since it was last asked for.
    private mutating func judgeHaptics(_ count: Int) throws(ScriptError) {
        let all = try settled().haptics.count
        let played = all - hapticsBefore
        hapticsBefore = all
        guard played != count else { return }
        throw error(.expectationFailed(expected: CountText(count, "haptic").description, found: "\(played)"))
    }

    /// Compares the panel with a picture. Where they differ it writes what the panel shows, and where, beside the picture.
    private mutating func judgeScreenshot(_ file: String) throws(ScriptError) {
        let frame = try settled().frame
        let stem = file.dropLast(".png".count)
        let actual = "\(stem).actual.png"
        let expected = "the panel as in \(file)"
        let picture: PanelFrame
        do throws(DeviceModelError) {
            picture = try PanelFrame(portableNetworkGraphics: try HostFile.read(file))
        } catch {
            try write(frame, to: actual)
            throw self.error(
                .expectationFailed(
                    expected: expected,
                    found:
                        "\(error.isMissingFile ? "no such file" : error.reason); the panel is in \(actual), to accept it: "
                        + "mv \(actual) \(file)"))
        }
        guard let difference = FrameDifference(from: picture, to: frame) else { return }
        try write(frame, to: actual)
        try write("\(stem).difference.png") { () throws(DeviceModelError) in try difference.portableNetworkGraphics() }
        throw error(
            .expectationFailed(
                expected: expected, found: "\(difference); see \(stem).actual.png and \(stem).difference.png"))
    }

    /// Writes a picture of the panel.
    func write(_ frame: PanelFrame, to file: String) throws(ScriptError) {
        try write(file) { () throws(DeviceModelError) in try frame.portableNetworkGraphics(scale: screenshotScale) }
    }

    private func write(_ file: String, _ bytes: () throws(DeviceModelError) -> [UInt8]) throws(ScriptError) {
        do throws(DeviceModelError) {
            try HostFile.write(try bytes(), to: file)
        } catch {
            throw self.error(.cannotWrite(file: file, reason: "\(error)"))
        }
    }
}

extension ScriptMark {
    /// When the tap reached it, from its touch; nil where it has not.
    fileprivate func time(of tap: TapNumber, in snapshot: WatchSnapshot) -> Microseconds? {
        guard let history = snapshot.taps.last(where: { $0.tap == tap }) else { return nil }
        switch mark {
        case .traced(let mark): return history.sinceTouch(mark)
        case .felt: return history.touchToFelt
        }
    }

    private enum Kind {
        /// The runtime reports it.
        case traced(TapMark)
        /// The board knows when its haptic driver can be felt.
        case felt
    }

    private var mark: Kind {
        switch self {
        case .handled: .traced(.handled)
        case .updated: .traced(.updated)
        case .settled: .traced(.settled)
        case .durable: .traced(.durable)
        case .felt: .felt
        case .sent: .traced(.sent)
        case .committed: .traced(.committed)
        case .acknowledged: .traced(.acknowledged)
        }
    }
}

extension DeviceModelError {
    fileprivate var isMissingFile: Bool {
        switch self {
        case .systemCall(_, let number): number == ENOENT
        case .notAFile, .malformedImage, .encodingFailed: false
        }
    }
}
