import Watch
import WatchLink

/// A command of the script language. `ScriptTable` lists how each command is written, and Simulator/SCRIPTS.md explains
/// it.
package enum ScriptCommand: Sendable, Equatable {
    /// The script fails if the tap hits no row and `mayMiss` is false.
    case tap(row: Int, mayMiss: Bool)
    case touch(x: Int16, y: Int16)
    case drag(from: ScriptPixel, to: ScriptPixel, over: Microseconds)
    case swipe(ScriptSwipe)
    case holdRow(Int, for: Microseconds)
    /// Positive values move to later rows.
    case crown(detents: Int8)
    case press(Button)
    case hold(Button)
    case wrist(WristEvent)
    case hours(ClockForm)
    case wait(Microseconds)
    case waitUntil(ScriptCondition, within: Microseconds)
    case expect(ScriptExpectation)
    case phone(ScriptPhoneEdit)
    case screenshot(file: String)
    case record(ScriptRecording)
    case time(ScriptTime)
    case restart
    case reset
    case save(file: String)
    case load(file: String)
    case battery(BatteryChange)
    case describe
    case pause
    case resume
    case step
    case speed(ClockSpeed)
    case fault(FaultChange)
    case `repeat`(times: Int, [ScriptStatement<ScriptCommand>])
    case quit
}

package struct ScriptPixel: Sendable, Equatable {
    package var x: Int16
    package var y: Int16
}

package enum ScriptSwipe: String, Sendable {
    case left, right

    package var pixels: (from: ScriptPixel, to: ScriptPixel) {
        let (edge, middle) = (Int16(PanelGeometry.width / 6), Int16(PanelGeometry.height / 2))
        let (left, right) = (ScriptPixel(x: edge, y: middle), ScriptPixel(x: 5 * edge, y: middle))
        return switch self {
        case .left: (right, left)
        case .right: (left, right)
        }
    }
}

package enum ScriptRecording: Sendable, Equatable {
    case begin(file: String)
    case end
}

package enum ScriptTime: Sendable, Equatable {
    /// A time on the present date, in seconds since midnight.
    case ofDay(seconds: UInt32)
    case at(LocalTime)
    /// A time zone to which the wearer travels, in seconds east of UTC.
    case zone(seconds: Int64)
}

package enum ScriptCondition: Sendable, Equatable {
    case synced
    /// Every struck-through row is gone, and the rows below it have moved up.
    case settled
    case row(Int, String)
}

package enum ScriptExpectation: Sendable, Equatable {
    case screen(ScreenExpectation)
    case mark(ScriptMark, within: Microseconds)
    case moment(WatchMoment, within: Microseconds)
    case haptics(Int)
    case screenshot(file: String)
}

package enum ScreenExpectation: Sendable, Equatable {
    case title(String)
    case row(Int, String)
    case noRow(String)
    case screen(ScreenDescription.Screen)
    case face(FaceStyle)
    case left(UInt32)
    case complication(String)
    case text(String)
}

/// A point in the handling of a tap, such as when the check-off is in flash. `expect MARK within` limits the time from
/// the lift of the finger to this point.
package enum ScriptMark: String, Sendable, CaseIterable {
    case handled, updated, settled, durable, felt, sent, committed, acknowledged

    var dependsOnPhone: Bool {
        switch self {
        case .handled, .updated, .settled, .durable, .felt, .sent: false
        case .committed, .acknowledged: true
        }
    }
}

package enum ScriptPhoneEdit: Sendable, Equatable {
    case add(String)
    /// The string of `check` and of `remove` is the item's number in `tapline phone list`, its title, or the beginning
    /// of its title.
    case check(String)
    case remove(String)
}

/// A script's file, and the number of a line in it, from 1.
package struct ScriptPlace: Sendable, Equatable {
    /// The file as the user named it. For an included file, the path that `path(of:)` returns for its name.
    package var file: String
    package var line: Int

    package init(file: String, line: Int) {
        self.file = file
        self.line = line
    }

    /// Returns the path of a file that the script names. A relative name is relative to the script's directory.
    package func path(of file: String) -> String {
        guard !file.hasPrefix("/"), let slash = self.file.lastIndex(of: "/") else { return file }
        return String(self.file[...slash]) + file
    }
}

package struct ScriptStatement<Command: ScriptLanguage>: Sendable, Equatable {
    package var place: ScriptPlace
    package var command: Command

    package init(_ command: Command, at place: ScriptPlace) {
        self.command = command
        self.place = place
    }
}

extension Array<Input> {
    /// Returns the inputs of a swipe across the middle of the panel: to the left if `step` is positive, otherwise to
    /// the right.
    package static func swipe(_ step: Int) -> [Input] {
        let (from, to) = (step > 0 ? ScriptSwipe.left : .right).pixels
        return [.touch(x: from.x, y: from.y), .moved(x: to.x, y: to.y), .lifted(x: to.x, y: to.y)]
    }
}

package enum ScriptDelivery: Sendable {
    case underWay
    case arrived
    /// There is no watch to deliver to.
    case noWatch
}

package protocol ScriptPhone: Sendable {
    func make(_ edit: ScriptPhoneEdit) throws(ScriptPhoneError)

    /// Returns whether the phone's changes have arrived on the connected watches. With `awaitingAbsent`, the watches
    /// are those that were last connected, even if they are disconnected now.
    func delivery(awaitingAbsent: Bool) -> ScriptDelivery

    func left() throws(ScriptPhoneError) -> Int
}

package struct ScriptPhoneError: Error, Sendable, Equatable {
    package var reason: String

    package init(reason: String) {
        self.reason = reason
    }
}
