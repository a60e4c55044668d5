import Watch
import WatchLink

/// Which rows of the list a description has.
public enum DescribedRows: Sendable {
    /// Every one.
    case all
    /// Those on the panel.
    case visible
}

extension ScreenDescription {
    /// The screen of a runtime at this moment; `time` is what its wall clock shows.
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
        synchronization = runtime.isSynchronized ? .synchronized : .pending
        notice = runtime.notice
        placeholder = runtime.placeholder
        complication = Complication(runtime.complicationContent, remaining: remaining)
        pairingDigits = runtime.pairingDigits.map(ScreenDescription.sixDigits)
        if screen == .sheet { sheet = Sheet(runtime.sheet) }
        self.time = time.map(ScreenDescription.hoursAndMinutes) ?? "--:--"
        if let travel = runtime.faceTravel {
            self.travel = Travel(
                minutes: (Int(travel.to.seconds) - Int(travel.from.seconds)) / 60,
                time: ScreenDescription.hoursAndMinutes(travel.to),
                complication: Complication(travel.content, remaining: remaining))
        }
        if let title = runtime.fullTitle { fullTitle = Row.text(of: title) }
    }

    /// HH:MM, as the face shows it.
    static func hoursAndMinutes(_ time: LocalTime) -> String {
        let minutes = time.seconds / 60
        return "\(twoDigits(minutes / 60 % 24)):\(twoDigits(minutes % 60))"
    }

    private static func twoDigits(_ number: UInt32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension ScreenDescription.Row {
    /// A title with an ellipsis where it was cut.
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
