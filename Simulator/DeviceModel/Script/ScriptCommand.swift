import Watch
import WatchLink

/// A command of the script language, one to a line. `ScriptTable` lists the forms.
package enum ScriptCommand: Sendable, Equatable {
    /// The script fails if the tap hits no row, unless `mayMiss`.
    case tap(row: Int, mayMiss: Bool)
    case touch(x: Int16, y: Int16)
    case drag(from: ScriptPixel, to: ScriptPixel, over: Microseconds)
    case swipe(ScriptSwipe)
    case holdRow(Int, for: Microseconds)
    /// Down if positive.
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

/// The direction of a finger that swipes.
package enum ScriptSwipe: String, Sendable {
    case left, right

    /// Two thirds of the panel, along its middle.
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
    /// Seconds since midnight.
    case ofDay(seconds: UInt32)
    case at(LocalTime)
    /// Seconds east of UTC. The wearer travels to this zone.
    case zone(seconds: Int64)
}

package enum ScriptCondition: Sendable, Equatable {
    case synced
    /// No row is struck through, and the rows below have moved up.
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

/// A mark of a tap, with a time since the touch.
package enum ScriptMark: String, Sendable, CaseIterable {
    case handled, updated, settled, durable, felt, sent, committed, acknowledged

    var dependsOnPhone: Bool {
        switch self {
        case .handled, .updated, .settled, .durable, .felt, .sent: false
        case .committed, .acknowledged: true
        }
    }
}

/// A change of the list on the script's phone.
package enum ScriptPhoneEdit: Sendable, Equatable {
    case add(String)
    /// By number from 1 among the items left, or by title.
    case check(String)
    case remove(String)
}

/// The file and the line, from 1, of a statement.
package struct ScriptPlace: Sendable, Equatable {
    /// The name from the user, or from the including script.
    package var file: String
    package var line: Int

    package init(file: String, line: Int) {
        self.file = file
        self.line = line
    }

    /// The path of a file that the script names, relative to the script's directory.
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
    /// A swipe over the middle of the panel, to the left if positive.
    package static func swipe(_ step: Int) -> [Input] {
        let (from, to) = (step > 0 ? ScriptSwipe.left : .right).pixels
        return [.touch(x: from.x, y: from.y), .moved(x: to.x, y: to.y), .lifted(x: to.x, y: to.y)]
    }
}

package enum ScriptDelivery: Sendable {
    case underWay
    case arrived
    /// There is no watch to wait for.
    case noWatch
}

package protocol ScriptPhone: Sendable {
    /// Changes the list.
    func make(_ edit: ScriptPhoneEdit) throws(ScriptPhoneError)

    /// The progress of the changes.
    ///
    /// - Parameter awaitingAbsent: whether to wait for watches that were connected before, and are not now.
    func delivery(awaitingAbsent: Bool) -> ScriptDelivery
}

package struct ScriptPhoneError: Error, Sendable, Equatable {
    package var reason: String

    package init(reason: String) {
        self.reason = reason
    }
}
