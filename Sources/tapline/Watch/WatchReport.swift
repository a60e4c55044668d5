import CommandSupport
import DeviceModel
import Watch
import WatchLink

enum WatchReport {
    static func object(_ device: any WatchDevice) -> JSONObject {
        let snapshot = device.snapshot
        let screen = snapshot.description
        let sheet = screen.sheet.map { sheet -> JSONObject in
            ["title": sheet.title, "text": sheet.text, "buttons": sheet.buttons]
        }
        let battery = device.shownBattery.map { battery -> JSONObject in
            ["percent": battery.percent, "charging": battery.isCharging ? "on" : "off"]
        }
        return [
            // `running`, `paused` or `stopped`; for a failed watch, the reason.
            "phase": phase(snapshot.phase, of: device),
            // Microseconds of the watch's own time since it started.
            "microseconds": snapshot.time.microseconds,
            // `face`, `list`, `status`, `title`, `pairing`, `sheet` or `past`.
            "screen": screen.screen.name,
            "title": screen.title,
            "rows": screen.rows.enumerated().map { row($0.element, at: $0.offset, of: screen) },
            "left": screen.remaining,
            "complication": screen.complication.text,
            "time": screen.time,
            "link": "\(screen.link)",
            "synchronization": screen.isSynchronized ? "synced" : "pending",
            "waitingMessages": screen.waitingMessages,
            // The notice for the wearer, as the status sheet shows it.
            "notice": screen.noticeLine,
            "pairingDigits": screen.pairingDigits,
            "sheet": sheet,
            // The number of haptic patterns that the watch has played since it started.
            "haptics": snapshot.haptics.count,
            "tap": snapshot.taps.last?.object,
            "battery": battery,
        ]
    }

    /// Describes a row. The member "row" is the row's position on the panel, starting at 1. It is left out if the panel
    /// does not show the row.
    private static func row(_ row: ScreenDescription.Row, at index: Int, of screen: ScreenDescription) -> JSONObject {
        let position = screen.firstDescribedRow + index - screen.firstVisibleRow
        let isShown = screen.screen == .list && (0..<RowGeometry.rowsVisible).contains(position)
        return [
            "row": isShown ? position + 1 : nil, "title": row.displayTitle,
            "state": row.state == .struck ? "struck" : "open",
        ]
    }

    private static func phase(_ phase: WatchSnapshot.Phase, of device: any WatchDevice) -> String {
        switch phase {
        case .running: device.isPaused ? "paused" : "running"
        case .stopped: "stopped"
        case .failed(let reason): reason
        }
    }
}
