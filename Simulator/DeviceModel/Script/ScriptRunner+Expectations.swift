import Glibc
import HostSystem
import Watch
import WatchLink

extension ScriptRunner {
    mutating func judge(_ expectation: ScriptExpectation) throws(ScriptError) {
        switch expectation {
        case .screen(let screen):
            if let failure = screen.failure(on: try settled().description) { throw error(failure) }
        case .mark(let mark, let limit): try judge(mark, within: limit)
        case .moment(let moment, let limit): try judge(moment, within: limit)
        case .haptics(let count): try judgeHaptics(count)
        case .screenshot(let file): try judgeScreenshot(place.path(of: file))
        }
    }

    /// The command `expect MARK within` waits for its limit, and then for this additional time. So the error can say when a
    /// slow tap reached the mark. The additional time must exceed 250 ms, because a struck row stays on the panel for 250 ms
    /// and the mark `settled` does not count these 250 ms.
    private static let graceTime = Microseconds.seconds(1)

    private mutating func judge(_ mark: ScriptMark, within limit: Microseconds) throws(ScriptError) {
        let expected = "the last tap to be \(mark.rawValue) within \(limit.inMilliseconds) ms"
        let snapshot = try settled()
        guard let tap = snapshot.taps.last?.tap else {
            throw error(.expectationFailed(expected: expected, found: "no tap"))
        }
        var reached = mark.time(of: tap, in: snapshot)
        if reached == nil, !device.isPaused {
            let outcome = device.wait(patiently: limit + ScriptRunner.graceTime) { mark.time(of: tap, in: $0) != nil }
            reached = mark.time(of: tap, in: outcome.snapshot)
        }
        guard let reached else {
            throw error(.expectationFailed(expected: expected, found: "that it is not \(mark.rawValue) yet"))
        }
        guard reached <= limit else {
            let ofPhone = mark.dependsOnPhone && device.control != nil ? " in real time, as the phone serves" : ""
            throw error(.expectationFailed(expected: expected, found: "\(reached.inMilliseconds) ms\(ofPhone)"))
        }
    }

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

    /// Throws unless the watch has played `count` haptic patterns since the last `expect haptics`, or since the script began.
    private mutating func judgeHaptics(_ count: Int) throws(ScriptError) {
        let all = try settled().haptics.count
        let played = all - hapticsBefore
        hapticsBefore = all
        guard played != count else { return }
        throw error(.expectationFailed(expected: CountText(count, "haptic").description, found: "\(played)"))
    }

    /// Throws unless the panel equals the picture in a PNG file. Before it throws, it writes the panel to a file in the same
    /// directory. If the picture could be read, it also writes the difference.
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
    /// Returns the time from the touch interrupt of `tap` to this mark. Nil if the tap has not reached the mark.
    fileprivate func time(of tap: TapNumber, in snapshot: WatchSnapshot) -> Microseconds? {
        guard let history = snapshot.taps.last(where: { $0.tap == tap }) else { return nil }
        guard let mark = TapMark.all.first(where: { $0.label == rawValue }) else {
            // `felt` is not a mark of the runtime. The board knows when the wearer can feel a pattern.
            return history.touchToFelt
        }
        return history.sinceTouch(mark)
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

extension ScreenExpectation {
    /// Returns the problem to report, or nil if the screen is as expected. If the watch has cut the title of a row, the
    /// expected text may have the ellipsis or not.
    func failure(on description: ScreenDescription) -> ScriptError.Problem? {
        func problem(_ isMet: Bool, _ expected: String, found: @autoclosure () -> String) -> ScriptError.Problem? {
            isMet ? nil : .expectationFailed(expected: expected, found: found())
        }
        switch self {
        case .title(let text):
            return problem(description.title == text, "title \"\(text)\"", found: "\"\(description.title)\"")
        case .row(let number, let text):
            let expected = "row \(number) \"\(text)\""
            if let other = description.screenInsteadOfRows {
                return .expectationFailed(expected: expected, found: other)
            }
            guard let row = description.row(at: number - 1) else {
                return .expectationFailed(expected: expected, found: "no row there")
            }
            return problem(row.says(text), expected, found: "\"\(row.displayTitle)\"")
        case .noRow(let text):
            let expected = "no row \"\(text)\""
            if let other = description.screenInsteadOfRows {
                return .expectationFailed(expected: expected, found: other)
            }
            let number = description.rowNumbers.first { description.row(at: $0 - 1)?.says(text) == true }
            return problem(number == nil, expected, found: "it in row \(number ?? 0)")
        case .screen(let screen):
            return problem(description.screen == screen, "screen \(screen.name)", found: description.screen.name)
        case .face(let face):
            return problem(description.face == face, "face \(face.name)", found: "\(description.face.name)")
        case .left(let count):
            return problem(description.remaining == count, "\(count) left", found: "\(description.remaining)")
        case .complication(let text):
            let found = description.complication.text
            return problem(
                found == text, "complication \"\(text)\"", found: found.isEmpty ? "none" : "\"\(found)\"")
        case .text(let text):
            let lines = description.lines
            return problem(
                lines.contains { $0.contains(text) }, "text \"\(text)\"",
                found: lines.map { "\"\($0)\"" }.joined(separator: ", "))
        }
    }
}

extension ScreenDescription {
    /// The current screen in words, such as `screen face`, if it has no rows to tap. Nil if the screen is the list or the
    /// past items.
    var screenInsteadOfRows: String? {
        switch screen {
        case .list, .past: nil
        case .face, .status, .fullTitle, .pairing, .sheet: "screen \(screen.name)"
        }
    }

    /// Returns why a tap on this row would change no item. Row 1 is directly below the title bar. Nil if the screen shows
    /// no reason.
    func obstacle(toTapping number: Int) -> String? {
        if let other = screenInsteadOfRows { return other }
        guard let row = row(at: number - 1) else {
            return rowNumbers.isEmpty ? "no rows" : "no row there: the last one is row \(rowNumbers.count)"
        }
        switch row.state {
        case .waiting: return nil
        case .struck: return "\"\(row.displayTitle)\", which is checked off already"
        }
    }
}

extension ScreenDescription.Row {
    func says(_ text: String) -> Bool { title == text || displayTitle == text }
}
