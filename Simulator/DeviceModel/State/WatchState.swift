import Watch
import WatchLink

/// Everything of a simulated watch that a restart keeps, so that another can go on from there. What is in its memory alone is
/// not in it, such as a row that is still shown struck through; all that was felt is in the flash.
package struct WatchState: Sendable, Equatable {
    /// Whether the phone could be reached. It says only how it was: a watch that has the state of another connects anew.
    package enum Link: String, Sendable {
        case up, down
    }

    /// Whether the watch's time goes.
    package enum Motion: String, Sendable {
        case running, paused
    }

    /// What is in the flash chip.
    package var flash: FlashImage
    /// The wall clock.
    package var calendar: CalendarReading
    /// The wearer's time zone, in seconds east of UTC.
    package var zone: Int64
    /// How fast the watch's time goes, as a multiple of the machine's.
    package var speed: ClockSpeed
    package var motion: Motion
    /// What is wrong. A link that is cut for a time has the end of that counted from when it was saved.
    package var faults: WatchFaults
    /// What the gauge of the battery says.
    package var battery: BatteryState
    package var link: Link
    /// Whether it was on the wrist.
    package var wrist = WristState.worn
}

extension WatchDevice {
    /// Everything of the watch as it is when it has come to rest: every tap that was felt is in flash by then.
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

    /// Has the watch go on from a state, and returns when it has started with that.
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
