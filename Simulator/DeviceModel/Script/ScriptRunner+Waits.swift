import HostSystem
import WatchLink

extension ScriptRunner {
    /// Lets the watch's clock run for this time. Throws early if a tap hits nothing.
    mutating func pass(_ length: Microseconds) throws(ScriptError) {
        guard !device.isPaused else { throw error(.paused("wait")) }
        let end = device.now + length
        let touches = touches
        let outcome = device.wait(until: end) { PendingTouch.miss(among: touches, in: $0) != nil }
        try judgeTouches(by: outcome.snapshot)
        if case .stopped(let snapshot) = outcome { throw error(ScriptRunner.problem(of: snapshot)) }
    }

    /// Waits until the condition holds and the watch has handled every input. Throws early if a tap hits nothing.
    mutating func wait(until condition: ScriptCondition, within limit: Microseconds) throws(ScriptError) {
        guard !device.isPaused else { throw error(.paused("wait until \(condition.name)")) }
        let (newest, touches) = (device.sent, touches)
        let outcome = device.wait(patiently: limit) { snapshot in
            guard snapshot.handled >= newest else { return false }
            return condition.holds(in: snapshot) || PendingTouch.miss(among: touches, in: snapshot) != nil
        }
        try judgeTouches(by: outcome.snapshot)
        switch outcome {
        case .met: break
        case .timedOut(let snapshot):
            throw error(
                .expectationFailed(
                    expected: "\(condition.words) within \(limit.inMilliseconds) ms",
                    found: condition.opposite(in: snapshot)))
        case .stopped(let snapshot): throw error(ScriptRunner.problem(of: snapshot))
        }
    }

    /// Makes a change on the phone. If the phone can reach a watch, waits until the watch shows the change.
    mutating func make(_ edit: ScriptPhoneEdit) throws(ScriptError) {
        guard let phone else { throw error(.noPhone("phone")) }
        // The watch must handle earlier commands before it gets the change.
        _ = try settled()
        do throws(ScriptPhoneError) {
            try phone.make(edit)
        } catch {
            throw self.error(.phoneFailed(reason: error.reason))
        }
        let awaitingAbsent = !device.isCutOff
        let outcome = device.wait(patiently: ScriptRunner.deliveryLimit) { _ in
            phone.delivery(awaitingAbsent: awaitingAbsent) != .underWay
        }
        guard case .met = outcome, phone.delivery(awaitingAbsent: awaitingAbsent) == .arrived else { return }
        // A watch handles an input only after the datagrams that came before it. This input reports the end of a pairing. It
        // changes nothing here, because the script's watch is not pairing.
        device.send(.pairing(.over))
        _ = try settled()
    }
}

extension WatchDevice {
    fileprivate var isCutOff: Bool {
        switch faults?.faults.link {
        case .open, nil: false
        case .cut, .cutUntil: true
        }
    }
}

extension ScriptCondition {
    var name: String {
        switch self {
        case .synced: "synced"
        case .settled: "settled"
        case .row: "row"
        }
    }

    /// The condition in words. In the error of a wait that timed out, these words follow "expected".
    var words: String {
        switch self {
        case .synced: "watch and phone to be in sync"
        case .settled: "every row that was tapped to be gone"
        case .row(let number, let text): "row \(number) \"\(text)\""
        }
    }

    func holds(in snapshot: WatchSnapshot) -> Bool {
        switch self {
        case .synced: return snapshot.description.isSynchronized
        case .settled:
            return snapshot.isPanelCurrent && !snapshot.description.rows.contains { $0.state == .struck }
        case .row(let number, let text):
            return snapshot.isPanelCurrent
                && ScreenExpectation.row(number, text).failure(on: snapshot.description) == nil
        }
    }

    /// Returns the words that follow "found" in the error of a wait that timed out.
    func opposite(in snapshot: WatchSnapshot) -> String {
        switch self {
        case .synced: return snapshot.description.linkLine
        case .settled:
            let struck = snapshot.description.rows.first { $0.state == .struck }
            return struck.map { "\"\($0.displayTitle)\" on the panel" } ?? "rows that move up"
        case .row(let number, let text):
            let failure = ScreenExpectation.row(number, text).failure(on: snapshot.description)
            guard case .expectationFailed(_, let found)? = failure else { return "it too late" }
            return found
        }
    }
}

extension Microseconds {
    /// The length in milliseconds, without rounding: `8`, `9.4`, `8.005`.
    var inMilliseconds: String {
        let fraction = String(String(count % 1_000 + 1_000).dropFirst())
        let digits = fraction.dropLast(fraction.reversed().prefix { $0 == "0" }.count)
        return digits.isEmpty ? "\(count / 1_000)" : "\(count / 1_000).\(digits)"
    }
}
