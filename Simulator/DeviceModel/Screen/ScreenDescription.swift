import Watch
import WatchLink

/// The content of the watch's screen as text, for scripts, screen readers and plain output. It comes from the watch's state,
/// not from its pixels.
public struct ScreenDescription: Sendable, Equatable {
    /// The kinds of screen.
    public typealias Screen = ScreenName

    /// A row of the list, or of the sheet with past items.
    public struct Row: Sendable, Equatable {
        /// The states of a row.
        public typealias State = RowState

        /// How much of a title the watch has: all of it, or only a part because the title is too long for the watch.
        public typealias Completeness = ItemTitle.Completeness

        /// The item's ID, which the phone gave it.
        public var id: UInt32
        /// The title, at most 48 bytes of UTF-8. A longer title is cut.
        public var title: String
        /// The state of the item, such as struck through.
        public var state: State
        /// How much of the title the watch has: all of it or a part.
        public var completeness: Completeness

        package init(id: UInt32, title: String, state: State = .waiting, completeness: Completeness = .whole) {
            self.id = id
            self.title = title
            self.state = state
            self.completeness = completeness
        }

        /// The title, followed by an ellipsis if it is cut.
        public var displayTitle: String {
            switch completeness {
            case .whole: title
            case .cut: title + "…"
            }
        }
    }

    /// The states of the link to the phone.
    public typealias Link = LinkIndicator

    /// What the complication on the face shows.
    public struct Complication: Sendable, Equatable {
        /// The title of the first open item, or a text from the phone. "last trip" if the complication shows the time
        /// since the last trip, "date" if it shows the date. Empty if it shows a placeholder.
        public var text: String
        /// The number of open items. Nil if the complication shows no number.
        public var remaining: UInt32?

        package init(text: String = "", remaining: UInt32? = nil) {
            self.text = text
            self.remaining = remaining
        }
    }

    /// A sheet that the tap handler shows.
    public struct Sheet: Sendable, Equatable {
        /// The text in the title bar.
        public var title: String
        /// The text between the title and the buttons. For a picture, its size, such as "picture 144 x 100".
        public var text: String
        /// The labels of the buttons, from left to right.
        public var buttons: [String]

        package init(title: String, text: String, buttons: [String] = []) {
            self.title = title
            self.text = text
            self.buttons = buttons
        }
    }

    /// Time travel: the wearer has turned the crown, and the face shows a past or future time.
    public struct Travel: Sendable, Equatable {
        /// Minutes from now. Negative for the past.
        public var minutes: Int
        /// The time that the face shows: HH:MM or H:MM AM.
        public var time: String
        /// What the complication shows for that time.
        public var complication: Complication

        package init(minutes: Int, time: String, complication: Complication) {
            self.minutes = minutes
            self.time = time
            self.complication = complication
        }

        package var distance: String {
            let (hours, minutes) = Int(minutes.magnitude).quotientAndRemainder(dividingBy: 60)
            let length = [hours > 0 ? "\(hours) h" : nil, minutes > 0 || hours == 0 ? "\(minutes) min" : nil]
            return length.compactMap(\.self).joined(separator: " ") + (self.minutes < 0 ? " back" : " ahead")
        }
    }

    /// The current screen.
    public var screen: Screen = .face
    /// The list's name, which the list's title bar shows.
    public var title = ""
    /// The number of open items, including those that only the phone stores.
    public var remaining: UInt32 = 0
    /// The index of the top row on the panel. Index 0 is the first row of the list, or of the sheet with past items if
    /// the panel shows this sheet.
    public var firstVisibleRow = 0
    /// The rows of the list, or of the sheet with past items if the panel shows this sheet. The array has either all
    /// rows that the watch stores, or only the rows on the panel. Empty off the wrist.
    public var rows: [Row] = []
    /// The index of `rows[0]`, counted like `firstVisibleRow`. 0 if `rows` contains all rows.
    public var firstDescribedRow = 0
    /// The number of open items that only the phone stores.
    public var more: UInt32 = 0
    /// The state of the link to the phone.
    public var link: Link = .down
    /// The number of messages from the watch that the phone has not acknowledged.
    public var waitingMessages: UInt32 = 0
    /// Whether the phone has every change that was made on the watch, and the watch has every change that the phone had
    /// when the watch connected. False while the watch is not connected.
    public var isSynchronized = false
    /// The watch's notice on the status sheet, below the state of the link. `.none` if there is none.
    public var notice: StatusNotice = .none
    /// What the list screen shows if the list has no rows.
    public var placeholder: EmptyListPlaceholder = .allDone
    /// What the complication shows for the present time, even during time travel.
    public var complication = Complication()
    /// The face that the wearer has chosen.
    public var face = FaceStyle.modular
    /// Where the watch is: on the wrist or off it. Off the wrist, the watch shows nothing private.
    public var wrist = WristState.worn
    /// The six digits that the wearer compares with the phone's. Nil if no phone is pairing.
    public var pairingDigits: String?
    /// The handler's sheet. Nil if the screen does not show one.
    public var sheet: Sheet?
    /// The present local time, even during time travel: HH:MM or H:MM AM. `--:--` if the watch's clock is not set.
    public var time = ""
    package var signs = ShownSigns()
    package var hours: ClockForm { time.hasSuffix("M") ? .twelveHours : .twentyFourHours }
    /// The time travel of the face. Nil if the face shows the present, or if the watch does not report time travel.
    public var travel: Travel?
    /// The title of the item on the full-title sheet, followed by an ellipsis if it is cut. Empty on other screens, or
    /// if the watch does not report it.
    public var fullTitle = ""

    package init() {}

    /// Formats the number of a pairing with leading zeros, as both devices show it.
    package static func sixDigits(_ number: UInt32) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }

    /// Returns the row at `position` of the panel. Position 0 is directly below the title bar. Nil if `rows` has no row
    /// there.
    public func row(at position: Int) -> Row? {
        let (row, overflow) = firstVisibleRow.addingReportingOverflow(position)
        let (index, underflow) = row.subtractingReportingOverflow(firstDescribedRow)
        guard position >= 0, !overflow, !underflow, rows.indices.contains(index) else { return nil }
        return rows[index]
    }

    /// The number of rows on the watch, including those that `rows` does not contain. On the sheet of past items, the count
    /// ends with the last row in `rows`.
    public var rowCount: Int {
        let described = firstDescribedRow.addingReportingOverflow(rows.count).partialValue
        if screen == .past { return described }
        let struck = rows.contains { $0.state == .struck } ? 1 : 0
        return max(described, Int(remaining) - Int(more) + struck)
    }
}

extension ScreenName {
    static let all = (UInt8.min...UInt8.max).compactMap(ScreenName.init(rawValue:))

    /// The screen's name in descriptions and scripts.
    public var name: String { text.description }

    /// Finds the screen with this name. Nil if there is none.
    public init?(name: String) {
        guard let screen = ScreenName.all.first(where: { $0.name == name }) else { return nil }
        self = screen
    }
}

extension FaceStyle {
    /// Every face, in the order in which swipes show them.
    package static let all: [FaceStyle] = [.modular, .simple, .bigDigits]

    package init?(named name: String) {
        guard let face = FaceStyle.all.first(where: { "\($0.name)" == name }) else { return nil }
        self = face
    }
}

extension ClockForm {
    package static let all: [ClockForm] = [.twentyFourHours, .twelveHours]
}
