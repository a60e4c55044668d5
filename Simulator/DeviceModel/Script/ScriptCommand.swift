import Watch
import WatchLink

/// A command of the script language, one to a line.
package enum ScriptCommand: Sendable, Equatable {
    /// `tap ROW`, `tap ROW or nothing`: taps the middle of a row of the panel, 1 being the one below the title bar.
    case tap(row: Int, ScriptTap)
    /// `touch X Y`: taps a pixel of the panel.
    case touch(x: Int16, y: Int16)
    /// `drag X Y X Y`, `drag X Y X Y over 500ms`: a finger comes down on a pixel, moves to another and lifts there.
    case drag(from: ScriptPixel, to: ScriptPixel, over: Microseconds)
    /// `swipe left`, `swipe right`: a finger moves sideways over the middle of the panel.
    case swipe(ScriptSwipe)
    /// `hold row N`, `hold row N for 800ms`: a finger rests on the middle of a row.
    case holdRow(Int, for: Microseconds)
    /// `crown N`: turns the crown by N detents, down when positive.
    case crown(detents: Int8)
    /// `press crown|side`: presses a button.
    case press(Button)
    /// `hold crown|side`: presses a button for a second.
    case hold(Button)
    /// `wrist on|off|raise`: what the wrist sensor sees.
    case wrist(WristEvent)
    /// `hours 12|24`: how the face counts the hours.
    case hours(ClockForm)
    /// `wait 200ms`, `wait 2s`: waits for this length of time.
    case wait(Microseconds)
    /// `wait until …`, `wait until … 5s`: waits until something is so; it fails when that takes longer.
    case waitUntil(ScriptCondition, within: Microseconds)
    /// `expect …`: fails unless it is so.
    case expect(ScriptExpectation)
    /// `phone …`: changes the list on the script's own phone.
    case phone(ScriptPhoneEdit)
    /// `screenshot FILE.png`: writes what the panel shows into a file.
    case screenshot(file: String)
    /// `record FILE`, `record end`: what the panel shows in between becomes a file.
    case record(ScriptRecording)
    /// `time …`, `zone …`: sets the watch's wall clock.
    case time(ScriptTime)
    /// `restart`: the power goes and comes back.
    case restart
    /// `reset`: back to the factory; the flash is erased, then the watch restarts.
    case reset
    /// `save FILE`: everything of the watch becomes a file.
    case save(file: String)
    /// `load FILE`: the watch goes on from such a file.
    case load(file: String)
    /// `battery N`, `charging on|off`: what the gauge of the battery says.
    case battery(BatteryChange)
    /// `describe`: prints the screen as text.
    case describe
    /// `pause`: stops the watch's time; the watch does nothing until it goes on.
    case pause
    /// `resume`: resumes the watch's time.
    case resume
    /// `step`: resumes the watch's time until the next event, then pauses it again.
    case step
    /// `speed N`: how fast the watch's time goes, 0.1 to 1000 times this machine's.
    case speed(ClockSpeed)
    /// `fault …`: changes what is wrong with the watch and its radio link.
    case fault(FaultChange)
    /// `repeat N` to `end`: does what is between them N times.
    case `repeat`(times: Int, [ScriptStatement])
    /// `quit`: ends the script.
    case quit
}

/// A pixel of the panel.
package struct ScriptPixel: Sendable, Equatable {
    package var x: Int16
    package var y: Int16

    package init(x: Int16, y: Int16) {
        self.x = x
        self.y = y
    }
}

/// Where a finger moves that swipes.
package enum ScriptSwipe: String, Sendable {
    case left, right

    /// From where to where: two thirds of the panel, along its middle.
    package var pixels: (from: ScriptPixel, to: ScriptPixel) {
        let (edge, middle) = (Int16(PanelGeometry.width / 6), Int16(PanelGeometry.height / 2))
        let (left, right) = (ScriptPixel(x: edge, y: middle), ScriptPixel(x: 5 * edge, y: middle))
        return switch self {
        case .left: (right, left)
        case .right: (left, right)
        }
    }
}

/// What a script does with a recording.
package enum ScriptRecording: Sendable, Equatable {
    /// Begins one that becomes this file.
    case begin(file: String)
    /// Ends it, and writes the file.
    case end
}

/// What a script sets the watch's wall clock to.
package enum ScriptTime: Sendable, Equatable {
    /// `time HH:MM[:SS]`: this time of the day that it shows, in seconds since midnight.
    case ofDay(seconds: UInt32)
    /// `time YYYY-MM-DD HH:MM[:SS]`.
    case at(LocalTime)
    /// `zone +HH:MM`: the wearer travels to this time zone, given in seconds east of UTC.
    case zone(seconds: Int64)
}

/// Whether a tap has to check off a row.
package enum ScriptTap: Sendable, Equatable {
    /// The script fails where no tap begins.
    case mustHit
    /// `or nothing`: it goes on.
    case mayMiss
}

/// What a script can wait for.
package enum ScriptCondition: Sendable, Equatable {
    /// `synced`: watch and phone know the same.
    case synced
    /// `settled`: no row is struck through any more; the rows below have moved up on the panel.
    case settled
    /// `row N TEXT`: the row at that place of the panel, counted from 1, says exactly this.
    case row(Int, String)
}

/// What a script can expect.
package enum ScriptExpectation: Sendable, Equatable {
    /// Of the screen.
    case screen(ScreenExpectation)
    /// `expect MARK within DURATION`: the last tap reached the mark no later than that after its touch.
    case mark(ScriptMark, within: Microseconds)
    /// `expect launched|arrived|raised within DURATION`: the last time that the wearer waited for this, it took no longer.
    case moment(WatchMoment, within: Microseconds)
    /// `expect haptics N`: N haptic patterns have played since the last `expect haptics`, or since the script began.
    case haptics(Int)
    /// `expect screenshot FILE.png`: the panel shows this picture.
    case screenshot(file: String)
}

/// What a script can expect of the screen.
package enum ScreenExpectation: Sendable, Equatable {
    /// `expect title TEXT`: the title bar says exactly this.
    case title(String)
    /// `expect row N TEXT`: the row at that place of the panel, counted from 1, says exactly this.
    case row(Int, String)
    /// `expect no row TEXT`: no row on the panel says exactly this.
    case noRow(String)
    /// `expect screen NAME`: the screen of this name is up.
    case screen(ScreenDescription.Screen)
    /// `expect face NAME`: the wearer has chosen this face.
    case face(FaceStyle)
    /// `expect left N`: N items are not checked off, those beyond the watch included.
    case left(UInt32)
    /// `expect complication TEXT`: the complication's current entry says exactly this, whether the face is up or not.
    case complication(String)
    /// `expect text TEXT`: a line of the screen as text has this in it.
    case text(String)
}

/// A point on a tap's time line, counted from its touch.
package enum ScriptMark: String, Sendable, CaseIterable {
    case handled, updated, settled, durable, felt, sent, committed, acknowledged
}

/// A change of the list on a script's own phone.
package enum ScriptPhoneEdit: Sendable, Equatable {
    /// `phone add TITLE`: an item at the end of the list.
    case add(String)
    /// `phone check ITEM`: checks off an item, by its number from 1 among those that are left or by its title.
    case check(String)
    /// `phone remove ITEM`: removes an item.
    case remove(String)
}

/// Where a statement stands.
package struct ScriptPlace: Sendable, Equatable {
    /// The script's name, as the user gave it or as another script includes it.
    package var file: String
    /// The line, counted from 1.
    package var line: Int

    package init(file: String, line: Int) {
        self.file = file
        self.line = line
    }

    /// The path of a file that the script names: relative to the script's own directory.
    package func path(of file: String) -> String {
        guard !file.hasPrefix("/"), let slash = self.file.lastIndex(of: "/") else { return file }
        return String(self.file[...slash]) + file
    }
}

/// A command with the place where it stands.
package struct ScriptStatement: Sendable, Equatable {
    /// Where it stands.
    package var place: ScriptPlace
    /// What to do.
    package var command: ScriptCommand

    package init(_ command: ScriptCommand, at place: ScriptPlace) {
        self.command = command
        self.place = place
    }
}
