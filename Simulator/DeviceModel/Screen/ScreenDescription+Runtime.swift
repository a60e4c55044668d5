import Watch
import WatchLink

/// Which rows of the list a description has.
public enum DescribedRows: Sendable {
    case all
    case visible
}

extension ScreenDescription {
    /// The screen of a runtime now; `time` is what its wall clock shows.
    init<B: Board & ~Copyable, Handler: TapHandler>(
        _ runtime: inout WatchRuntime<B, Handler>, _ described: DescribedRows, at time: LocalTime?
    ) {
        screen = runtime.screenName
        title = String(runtime.listTitle)
        remaining = runtime.remaining
        firstVisibleRow = runtime.firstVisibleRow
        let range =
            switch described {
            case .all: runtime.rows
            case .visible: runtime.visibleRows
            }
        firstDescribedRow = range.lowerBound
        rows.reserveCapacity(range.count)
        for row in range { rows.append(Row(runtime.item(row: row))) }
        more = runtime.more
        link = runtime.linkIndicator
        waitingMessages = UInt32(runtime.waitingMessages)
        isSynchronized = runtime.isSynchronized
        notice = runtime.notice
        placeholder = runtime.placeholder
        complication = Complication(runtime.complicationContent, remaining: remaining)
        pairingDigits = runtime.pairingDigits.map(ScreenDescription.sixDigits)
        if screen == .sheet { sheet = Sheet(runtime.sheet) }
        face = runtime.faceStyle
        wrist =
            switch runtime.privacy {
            case .shown: .worn
            case .redacted: .removed
            }
        let form = runtime.clockForm
        self.time = time.map { ScreenDescription.hoursAndMinutes($0, form) } ?? "--:--"
        if let travel = runtime.faceTravel {
            self.travel = Travel(
                from: travel.from, to: travel.to, form,
                complication: Complication(travel.content, remaining: remaining))
        }
        if let title = runtime.fullTitle { fullTitle = Row.text(of: title) }
    }

    /// HH:MM, or H:MM AM, as the face shows it.
    static func hoursAndMinutes(_ time: LocalTime, _ form: ClockForm) -> String {
        let (hour, minute) = Int(time.seconds / 60 % 1_440).quotientAndRemainder(dividingBy: 60)
        switch form {
        case .twentyFourHours: return "\(twoDigits(hour)):\(twoDigits(minute))"
        case .twelveHours: return "\(hour % 12 == 0 ? 12 : hour % 12):\(twoDigits(minute)) \(hour < 12 ? "AM" : "PM")"
        }
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension ScreenDescription.Travel {
    init(
        from now: LocalTime, to then: LocalTime, _ form: ClockForm = .twentyFourHours,
        complication: ScreenDescription.Complication
    ) {
        self.init(
            minutes: (Int(then.seconds) - Int(now.seconds)) / 60,
            time: ScreenDescription.hoursAndMinutes(then, form), complication: complication)
    }
}

extension ScreenDescription.Row {
    /// A cut title ends with an ellipsis.
    fileprivate static func text(of title: ItemTitle) -> String {
        Self(id: 0, title: String(title), completeness: title.completeness).displayTitle
    }

    fileprivate init(_ item: ListItem) {
        self.init(
            id: item.id.rawValue, title: String(item.title), state: item.shown, completeness: item.title.completeness)
    }
}

extension ScreenDescription.Sheet {
    fileprivate init(_ sheet: HandlerSheet) {
        self.init(
            title: sheet.title.description, text: String(sheet.words),
            buttons: (0..<sheet.buttonCount).map { sheet.label($0).description })
    }
}

extension ScreenDescription.Complication {
    fileprivate init(_ content: ComplicationContent, remaining: UInt32) {
        switch content {
        case .placeholder: self.init(remaining: remaining)
        case .items(let left, _, let next): self.init(text: String(next), remaining: left)
        case .text(let text): self.init(text: String(text), remaining: remaining)
        case .lastTrip: self.init(text: "last trip", remaining: remaining)
        case .date: self.init(text: "date", remaining: remaining)
        }
    }
}

extension String {
    fileprivate init(_ text: ShortText) {
        let utf8 = text.utf8
        self = utf8.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }

    fileprivate init(_ title: ItemTitle) {
        let utf8 = title.utf8
        self = utf8.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
}
