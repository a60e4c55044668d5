import Watch
import WatchLink

/// A command of the script language, one to a line.
package enum ScriptCommand: Sendable, Equatable {
    /// `tap ROW`: touches the middle of a row of the panel, 0 being the one below the title bar.
    case tap(row: Int)
    /// `touch X Y`: touches a pixel of the panel.
    case touch(x: Int16, y: Int16)
    /// `crown N`: turns the crown by N detents, down when positive.
    case crown(detents: Int8)
    /// `press crown|side`: presses a button.
    case press(Button)
    /// `hold crown|side`: presses a button for a second.
    case hold(Button)
    /// `wait 200ms`, `wait 2s`: waits for this length of time.
    case wait(Microseconds)
    /// `wait until synced`, `wait until synced 5s`: waits until watch and phone know the same; it fails when that takes
    /// longer.
    case waitUntilSynchronized(within: Microseconds)
    /// `expect …`: fails unless the screen says so.
    case expect(ScriptExpectation)
    /// `screenshot FILE.png`: writes what the panel shows into a file.
    case screenshot(file: String)
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
    /// `quit`: ends the script.
    case quit
}

/// What a script can expect of the screen.
package enum ScriptExpectation: Sendable, Equatable {
    /// `expect title TEXT`: the title bar says exactly this.
    case title(String)
    /// `expect row N TEXT`: the row at that place of the panel says exactly this.
    case row(Int, String)
    /// `expect screen NAME`: the screen of this name is up.
    case screen(ScreenDescription.Screen)
}

/// A command with the line it stands on.
package struct ScriptStatement: Sendable, Equatable {
    /// The line, counted from 1.
    package var line: Int
    /// What to do.
    package var command: ScriptCommand

    package init(_ command: ScriptCommand, line: Int) {
        self.command = command
        self.line = line
    }
}
