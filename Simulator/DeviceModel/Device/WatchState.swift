import HostSystem
import Watch
import WatchLink

/// Everything of a simulated watch that a restart keeps, so that another can go on from there. RAM is not in it, such
/// as a row that is still shown struck through. Every felt tap is in the flash.
package struct WatchState: Sendable, Equatable {
    /// How the link was. A watch that loads the state connects anew.
    package enum Link: String, Sendable {
        case up, down
    }

    package enum Motion: String, Sendable {
        case running, paused
    }

    package var flash: FlashImage
    package var calendar: CalendarReading
    /// The wearer's time zone, in seconds east of UTC.
    package var zone: Int64
    package var speed: ClockSpeed
    package var motion: Motion
    /// The end of a timed cut counts from the time of saving.
    package var faults: WatchFaults
    package var battery: BatteryState
    package var link: Link
    package var wrist = WristState.worn
}

extension WatchDevice {
    /// Waits until the watch is at rest: then every felt tap is in flash.
    package func saveState() throws(RestartError) -> WatchState {
        let motion = isPaused ? WatchState.Motion.paused : .running
        let flash = try restart(.read)
        var faults = faults?.faults ?? WatchFaults()
        switch faults.link {
        case .open, .cut: break
        case .cutUntil(let end): faults.link = end > now ? .cutUntil(.start + (end - now)) : .open
        }
        let link: WatchState.Link =
            switch snapshot.description.link {
            case .down, .connecting: .down
            case .reachable: .up
            }
        return WatchState(
            flash: flash, calendar: calendar?.reading(at: now, ahead: control?.ahead ?? 0) ?? .unset,
            zone: calendar?.zoneSeconds ?? 0, speed: control?.state.speed ?? .real, motion: motion, faults: faults,
            battery: battery?.state ?? .full, link: link, wrist: snapshot.description.wrist)
    }

    /// Loads a state, and returns when the watch has started with it.
    ///
    /// - Throws: `RestartError`; the watch then goes on as it was, except after `.flashFailed`.
    package func loadState(_ state: WatchState) throws(RestartError) {
        try restart(.load(state.flash))
        calendar?.setZone(seconds: state.zone)
        calendar?.restore(state.calendar, at: now, ahead: control?.ahead ?? 0)
        battery?.set(state.battery)
        if state.wrist != snapshot.description.wrist {
            switch state.wrist {
            case .worn: send(.wrist(.worn))
            case .removed: send(.wrist(.removed))
            }
        }
        if let switches = faults {
            var faults = state.faults
            switch faults.link {
            case .open, .cut: break
            case .cutUntil(let end): faults.link = .cutUntil(now + (end - .start))
            }
            switches.set(faults)
        }
        guard let control else { return }
        control.set(state.speed)
        switch state.motion {
        case .running: control.resume()
        case .paused: control.pause()
        }
    }
}

/// Why a file cannot be loaded. The description follows the file's name in a message.
package enum WatchStateError: Error, Equatable, Sendable {
    case unreadable(reason: String)
    /// `limit` is the most bytes that are read.
    case tooLong(limit: Int)
    case empty
    case notAState
    case laterVersion(Int)
    /// The part that is missing or impossible.
    case damaged(String)
}

extension WatchStateError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable(let reason): "\(reason): name a file that save has written"
        case .tooLong(let limit):
            "it has more than \(CountText(limit, "byte")), which no state of a watch has: name a file that save has written"
        case .empty: "it is empty: name a file that save has written"
        case .notAState: "it is not the state of a watch: name a file that save has written"
        case .laterVersion(let version):
            "it is of version \(version), and this tapline reads up to \(WatchStateFile.newestVersion): load it with the tapline that has saved it"
        case .damaged(let what):
            "its \(SanitizedLine(what)) cannot be right: save it again, or load a copy that is whole"
        }
    }
}
