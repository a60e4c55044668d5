import Watch
import WatchLink

/// The content of the watch's screen, for plain text, scripts and screen readers. It comes from the watch's state and not from
/// its pixels.
public struct ScreenDescription: Sendable, Equatable {
    /// The present screen, by the watch's own name for it.
    public typealias Screen = ScreenName

    /// A row of the list.
    public struct Row: Sendable, Equatable {
        /// What the row shows: the watch's own states.
        public typealias State = RowState

        /// Whether the title was longer than the watch keeps.
        public typealias Completeness = ItemTitle.Completeness

        /// The item's number, as the phone gave it.
        public var id: UInt32
        /// The title, as long as the watch keeps it.
        public var title: String
        /// What has happened to the item.
        public var state: State
        /// Whether the title is complete.
        public var completeness: Completeness

        package init(id: UInt32, title: String, state: State = .waiting, completeness: Completeness = .whole) {
            self.id = id
            self.title = title
            self.state = state
            self.completeness = completeness
        }

        /// The title, with an ellipsis if it was cut.
        public var displayTitle: String {
            switch completeness {
            case .whole: title
            case .cut: title + "…"
            }
        }
    }

    /// The state of the link to the phone: the watch's own states.
    public typealias Link = LinkIndicator

    /// The complication's current entry.
    public struct Complication: Sendable, Equatable {
        /// The text of the entry.
        public var text: String
        /// How many items remain; nil if the entry shows no number.
        public var remaining: UInt32?

        package init(text: String = "", remaining: UInt32? = nil) {
            self.text = text
            self.remaining = remaining
        }
    }

    /// The sheet of a handler.
    public struct Sheet: Sendable, Equatable {
        /// The text in its title bar.
        public var title: String
        /// The text in its middle.
        public var text: String
        /// The labels of its buttons from the left.
        public var buttons: [String]

        package init(title: String, text: String, buttons: [String] = []) {
            self.title = title
            self.text = text
            self.buttons = buttons
        }
    }

    /// Another time than the present on the face.
    public struct Travel: Sendable, Equatable {
        /// Minutes ahead of the present; negative for the past.
        public var minutes: Int
        /// The time on the face, HH:MM.
        public var time: String
        /// The complication's entry of that time.
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

    /// The present screen.
    public var screen: Screen = .face
    /// The text in the title bar: the list's name.
    public var title = ""
    /// Unchecked items, also those that only the phone has.
    public var remaining: UInt32 = 0
    /// The number of the row at the top of the panel.
    public var firstVisibleRow = 0
    /// The rows of the list on the watch, in order: all, or only those on the panel.
    public var rows: [Row] = []
    /// The number of the first of `rows`; 0 if all are there.
    public var firstDescribedRow = 0
    /// Items of the list that only the phone has.
    public var more: UInt32 = 0
    /// The state of the link to the phone.
    public var link: Link = .down
    /// The watch's own messages that the phone has not acknowledged.
    public var waitingMessages: UInt32 = 0
    /// Whether all data of watch and phone has arrived. False if the phone cannot be reached.
    public var isSynchronized = false
    /// The watch's notice for the wearer, beyond the state of the link.
    public var notice: StatusNotice = .none
    /// The text in place of the rows of an empty list.
    public var placeholder: EmptyListPlaceholder = .allDone
    /// The complication's current entry.
    public var complication = Complication()
    /// The face that the wearer has chosen.
    public var face = FaceStyle.modular
    /// Whether the wearer wears the watch. Off the wrist it shows nothing private.
    public var wrist = WristState.worn
    /// The six digits of a phone that wants to pair; nil if none does.
    public var pairingDigits: String?
    /// The handler's sheet; nil while the screen does not show it.
    public var sheet: Sheet?
    /// The time on the face, HH:MM.
    public var time = ""
    package var signs = ShownSigns()
    package var hours: ClockForm { time.hasSuffix("M") ? .twelveHours : .twentyFourHours }
    /// Another time on the face; nil for the present, or if the watch does not report it.
    public var travel: Travel?
    /// The title on the sheet of a full title. Empty on other screens, or if the watch does not report it.
    public var fullTitle = ""

    package init() {}

    /// The number of a pairing as both devices show it.
    package static func sixDigits(_ number: UInt32) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }

    /// The row at `position` of the panel, 0 below the title bar; nil if there is none.
    public func row(at position: Int) -> Row? {
        let (row, overflow) = firstVisibleRow.addingReportingOverflow(position)
        let (index, underflow) = row.subtractingReportingOverflow(firstDescribedRow)
        guard position >= 0, !overflow, !underflow, rows.indices.contains(index) else { return nil }
        return rows[index]
    }

    /// The number of rows on the watch, including those not in `rows`.
    public var rowCount: Int {
        let described = firstDescribedRow.addingReportingOverflow(rows.count).partialValue
        let struck = rows.contains { $0.state == .struck } ? 1 : 0
        return max(described, Int(remaining) - Int(more) + struck)
    }
}

extension ScreenName {
    static let all = (UInt8.min...UInt8.max).compactMap(ScreenName.init(rawValue:))

    /// The screen's name in a description and in scripts.
    public var name: String { text.description }

    /// Nil if there is no screen of this name.
    public init?(name: String) {
        guard let screen = ScreenName.all.first(where: { $0.name == name }) else { return nil }
        self = screen
    }
}

extension FaceStyle {
    /// Every face, in the order of swipes.
    package static let all: [FaceStyle] = [.modular, .simple, .bigDigits]

    package init?(named name: String) {
        guard let face = FaceStyle.all.first(where: { "\($0.name)" == name }) else { return nil }
        self = face
    }
}

extension ClockForm {
    package static let all: [ClockForm] = [.twentyFourHours, .twelveHours]
}
