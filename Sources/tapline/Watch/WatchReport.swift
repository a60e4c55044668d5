import DeviceModel
import Watch
import WatchLink

/// What a watch is like at a moment, for programs: JSON with these keys.
struct WatchReport: Encodable, Equatable, Sendable {
    /// A row of the list.
    struct Row: Encodable, Equatable, Sendable {
        /// Its place on the panel, from 1; nil if the panel does not show it.
        var row: Int?
        var title: String
        /// `open`, or `struck` for a row that has just been checked off.
        var state: String
    }

    /// A tap that the watch remembers.
    struct TapReport: Encodable, Equatable, Sendable {
        /// Counted from 1 since the watch started.
        var number: UInt32
        /// The time from the touch to each mark that it has reached, in microseconds of the watch's time.
        var microseconds: [String: UInt64]
    }

    struct Sheet: Encodable, Equatable, Sendable {
        var title: String
        var text: String
        var buttons: [String]
    }

    struct Battery: Encodable, Equatable, Sendable {
        /// The charge, 0 to 100.
        var percent: UInt8
        /// `on` a charger, or `off`.
        var charging: String
    }

    /// `running`, `paused`, `stopped`, or why it has failed.
    var phase: String
    /// Since it started, in microseconds of its own time.
    var microseconds: UInt64
    /// `face`, `list`, `status`, `title`, `pairing` or `sheet`.
    var screen: String
    /// Of the list, or of the item whose title is shown.
    var title: String
    var rows: [Row]
    /// Items that are not checked off.
    var left: UInt32
    /// The text of the complication.
    var complication: String
    /// On the face, HH:MM.
    var time: String
    /// `down`, `connecting` or `reachable`.
    var link: String
    /// `synced`, or `pending`.
    var synchronization: String
    /// Messages that the phone has not acknowledged.
    var waitingMessages: UInt32
    /// What the wearer has to know, as on the status sheet.
    var notice: String?
    /// The six digits of a phone that wants to pair.
    var pairingDigits: String?
    var sheet: Sheet?
    /// The haptic patterns that it has played since it started.
    var haptics: Int
    /// The newest tap.
    var tap: TapReport?
    /// What the gauge of the battery says; nil for a watch without one.
    var battery: Battery?

    init(_ device: any WatchDevice) {
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
