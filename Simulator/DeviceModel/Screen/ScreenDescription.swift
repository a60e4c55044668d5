import Watch
import WatchLink

/// What the watch's screen says. It comes from the watch's state and not from its pixels, for plain text, scripts and
/// screen readers.
public struct ScreenDescription: Sendable, Equatable {
    /// Which screen is up, by the watch's own name for it.
    public typealias Screen = ScreenName

    /// A row of the list.
    public struct Row: Sendable, Equatable {
        /// What the row shows: the watch's own states.
        public typealias State = RowState

        /// Whether the title was longer than the watch keeps.
        public typealias Completeness = ItemTitle.Completeness

        /// The item's number, as the phone gave it.
        public var id: UInt32
        /// The title, as far as the watch keeps it.
        public var title: String
        /// What has happened to the item.
        public var state: State
        /// Whether the title is all there.
        public var completeness: Completeness

        /// A row of these parts.
        public init(id: UInt32, title: String, state: State = .waiting, completeness: Completeness = .whole) {
            self.id = id
            self.title = title
            self.state = state
            self.completeness = completeness
        }

        /// The title, with an ellipsis where it was cut.
        public var displayTitle: String {
            switch completeness {
            case .whole: title
            case .cut: title + "…"
            }
        }
    }

    /// How the link to the phone is: the watch's own states.
    public typealias Link = LinkIndicator

    /// The complication's current entry.
    public struct Complication: Sendable, Equatable {
        /// What it says.
        public var text: String
        /// How many items remain; nil if the entry shows no number.
        public var remaining: UInt32?

        /// An entry that says `text`, with `remaining` items.
        public init(text: String = "", remaining: UInt32? = nil) {
            self.text = text
            self.remaining = remaining
        }
    }

    /// The sheet of a handler's own.
    public struct Sheet: Sendable, Equatable {
        /// In its title bar.
        public var title: String
        /// In its middle.
        public var text: String
        /// The labels of its buttons from the left.
        public var buttons: [String]

        /// A sheet of these parts.
        public init(title: String, text: String, buttons: [String] = []) {
            self.title = title
            self.text = text
            self.buttons = buttons
        }
    }

    /// What the face shows of another time than the present.
    public struct Travel: Sendable, Equatable {
        /// Minutes ahead of the present; negative for the past.
        public var minutes: Int
        /// The time on the face, HH:MM.
        public var time: String
        /// The complication's entry of that time.
        public var complication: Complication

        /// Another time of these parts.
        public init(minutes: Int, time: String, complication: Complication) {
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

    /// Which screen is up.
    public var screen: Screen = .face
    /// The text in the title bar: the list's name.
    public var title = ""
    /// Unchecked items, also those that only the phone has.
    public var remaining: UInt32 = 0
    /// The number of the row at the top of the panel.
    public var firstVisibleRow = 0
    /// The rows of the list on the watch, in order: all, or those on the panel.
    public var rows: [Row] = []
    /// The number of the first of `rows`; 0 if all are there.
    public var firstDescribedRow = 0
    /// Items of the list that only the phone has.
    public var more: UInt32 = 0
    /// How the link to the phone is.
    public var link: Link = .down
    /// The watch's own messages that the phone has not acknowledged.
    public var waitingMessages: UInt32 = 0
    /// Whether everything that watch and phone had to say has arrived. False if the phone cannot be reached.
    public var isSynchronized = false
    /// What the wearer has to know beyond the state of the link.
    public var notice: StatusNotice = .none
    /// What is shown in place of the rows of an empty list.
    public var placeholder: EmptyListPlaceholder = .allDone
    /// The complication's current entry.
    public var complication = Complication()
    /// The face that the wearer has chosen.
    public var face = FaceStyle.modular
    /// Off the wrist it shows nothing private.
    public var wrist = WristState.worn
    /// The six digits of a phone that wants to pair; nil if none does.
    public var pairingDigits: String?
    /// The handler's own sheet; nil while it is not up.
    public var sheet: Sheet?
    /// The time on the face, HH:MM.
    public var time = ""
    package var signs = ShownSigns()
    package var hours: ClockForm { time.hasSuffix("M") ? .twelveHours : .twentyFourHours }
    /// Another time on the face; nil for the present, or if the watch does not say it.
    public var travel: Travel?
    /// The title on the sheet of a full title. Empty on other screens, or if the watch does not say it.
    public var fullTitle = ""

    /// An empty face, until the watch has described its screen.
    public init() {}

    /// The digits of a pairing's number, as both devices show them.
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

    /// The number of rows on the watch, also of those that are not among `rows`.
    public var rowCount: Int {
        let described = firstDescribedRow.addingReportingOverflow(rows.count).partialValue
        let struck = rows.contains { $0.state == .struck } ? 1 : 0
        return max(described, Int(remaining) - Int(more) + struck)
    }
}

extension ScreenName {
    static let all = (UInt8.min...UInt8.max).compactMap(ScreenName.init(rawValue:))

    /// The name in a description and in scripts.
    public var name: String { text.description }

    /// Nil if there is no screen of this name.
    public init?(name: String) {
        guard let screen = ScreenName.all.first(where: { $0.name == name }) else { return nil }
        self = screen
    }
}

extension FaceStyle {
    /// Every face, in the order in which a swipe comes by them.
    package static let all: [FaceStyle] = [.modular, .simple, .bigDigits]

    package init?(named name: String) {
        guard let face = FaceStyle.all.first(where: { "\($0.name)" == name }) else { return nil }
        self = face
    }
}

extension ClockForm {
    package static let all: [ClockForm] = [.twentyFourHours, .twelveHours]
}
