import Glibc
import Synchronization
import WatchLink

/// How long a program waits for the one that has a side to say that it is there: as long as that may only be busy.
final class GreetingPatience: Sendable {
    enum State {
        case waiting
        case over
    }

    /// How often it is looked at.
    private static let pause = Microseconds.seconds(1)
    /// How often in a row it has to be found stopped: somebody may stop it for a moment.
    private static let mostStops = 2
    /// How often it is looked at in all: one that runs and says nothing for a minute is no program of this kind.
    private static let mostLooks = 60

    private let process: Int32?
    private let current = Mutex(State.waiting)

    /// - Parameter process: the program's; nil where the system does not say it.
    init(_ process: Int32?) { self.process = process }

    var state: State { current.withLock { $0 } }

    /// Returns true once the patience is over, and false for a task that is cancelled before.
    func isOver() async -> Bool {
        let clock = SystemClock()
        var stops = 0
        for _ in 0..<GreetingPatience.mostLooks where stops < GreetingPatience.mostStops {
            guard (try? await clock.sleep(until: clock.now + GreetingPatience.pause)) != nil else { return false }
            stops = process.map(GreetingPatience.isStopped) == true ? stops + 1 : 0
        }
        current.withLock { $0 = .over }
        return true
    }

    /// Whether a process is stopped by a signal, or by a debugger: the third field of /proc/PID/stat, behind the name in parentheses
    /// (proc(5)).
    private static func isStopped(_ process: Int32) -> Bool {
        guard let file = fopen("/proc/\(process)/stat", "r") else { return false }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = fread(&bytes, 1, bytes.count, file)
        guard let name = bytes[..<count].lastIndex(of: UInt8(ascii: ")")), name + 2 < count else { return false }
        return [UInt8(ascii: "T"), UInt8(ascii: "t")].contains(bytes[name + 2])
    }
}
