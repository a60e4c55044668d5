import DeviceModel
import Watch
import WatchLink

/// What a watch is like at a moment, for programs: JSON with these keys.
package struct WatchReport: Encodable, Equatable, Sendable {
    /// A row of the list.
    package struct Row: Encodable, Equatable, Sendable {
        /// Its place on the panel, from 1; nil where the panel does not show it.
        package var row: Int?
        package var title: String
        /// `open`, or `struck` for a row that has just been checked off.
        package var state: String
    }

    /// A tap that the watch remembers.
    package struct TapReport: Encodable, Equatable, Sendable {
        /// Counted from 1 since the watch started.
        package var number: UInt32
        /// The time from the touch to each mark that it has reached, in microseconds of the watch's time.
        package var microseconds: [String: UInt64]
    }

    /// The sheet of a handler's own.
    package struct Sheet: Encodable, Equatable, Sendable {
        package var title: String
        package var text: String
        package var buttons: [String]
    }

    /// The gauge of the battery.
    package struct Battery: Encodable, Equatable, Sendable {
        /// The charge, 0 to 100.
        package var percent: UInt8
        /// `on` a charger, or `off`.
        package var charging: String
    }

    /// `running`, `paused`, `stopped`, or why it has failed.
    package var phase: String
    /// Since it started, in microseconds of its own time.
    package var microseconds: UInt64
    /// `face`, `list`, `status`, `title`, `pairing` or `sheet`.
    package var screen: String
    /// Of the list, or of the item whose title is shown.
    package var title: String
    package var rows: [Row]
    /// Items that are not checked off.
    package var left: UInt32
    /// The text of the complication.
    package var complication: String
    /// On the face, HH:MM.
    package var time: String
    /// `down`, `connecting` or `reachable`.
    package var link: String
    /// `synced`, or `pending`.
    package var synchronization: String
    /// Messages that the phone has not acknowledged.
    package var waitingMessages: UInt32
    /// What the wearer has to know, as on the status sheet.
    package var notice: String?
    /// The six digits of a phone that wants to pair.
    package var pairingDigits: String?
    package var sheet: Sheet?
    /// The haptic patterns that it has played since it started.
    package var haptics: Int
    /// The newest tap.
    package var tap: TapReport?
    /// What the gauge of the battery says; nil for a watch without one.
    package var battery: Battery?

    /// A report of a watch as it is now.
    package init(_ device: any WatchDevice) {
        self.init(device.snapshot)
        battery = device.shownBattery.map { Battery(percent: $0.percent, charging: $0.isCharging ? "on" : "off") }
        if device.isPaused, phase == WatchReport.name(.running) { phase = "paused" }
    }

    private init(_ snapshot: WatchSnapshot) {
        let screen = snapshot.description
        phase = WatchReport.name(snapshot.phase)
        microseconds = snapshot.time.microseconds
        self.screen = screen.screen.name
        title = screen.title
        rows = screen.rows.enumerated().map { WatchReport.row($0.element, at: $0.offset, of: screen) }
        left = screen.remaining
        complication = screen.complication.text
        time = screen.time
        link = WatchReport.name(screen.link)
        synchronization = screen.isSynchronized ? "synced" : "pending"
        waitingMessages = screen.waitingMessages
        notice = screen.noticeLine
        pairingDigits = screen.pairingDigits
        sheet = screen.sheet.map { Sheet(title: $0.title, text: $0.text, buttons: $0.buttons) }
        haptics = snapshot.haptics.count
        tap = snapshot.taps.last.map(WatchReport.tap)
    }

    private static func row(_ row: ScreenDescription.Row, at index: Int, of screen: ScreenDescription) -> Row {
        let position = screen.firstDescribedRow + index - screen.firstVisibleRow
        let isShown = screen.screen == .list && (0..<RowGeometry.rowsVisible).contains(position)
        return Row(row: isShown ? position + 1 : nil, title: row.displayTitle, state: name(row.state))
    }

    private static func tap(_ history: TapHistory) -> TapReport {
        // The first mark is the touch, from which the others are counted.
        let times = TapMark.all.dropFirst().compactMap { mark in
            history.sinceTouch(mark).map { (mark.label, UInt64($0.count)) }
        }
        return TapReport(number: history.tap.count, microseconds: Dictionary(times) { first, _ in first })
    }

    private static func name(_ phase: WatchSnapshot.Phase) -> String {
        switch phase {
        case .running: "running"
        case .stopped: "stopped"
        case .failed(let reason): reason
        }
    }

    private static func name(_ link: LinkIndicator) -> String {
        switch link {
        case .down: "down"
        case .connecting: "connecting"
        case .reachable: "reachable"
        }
    }

    private static func name(_ state: RowState) -> String {
        switch state {
        case .waiting: "open"
        case .struck: "struck"
        }
    }
}
