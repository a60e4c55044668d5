import Watch
import WatchLink

/// Which rows of the list a `ScreenDescription` contains.
public enum DescribedRows: Sendable {
    case all
    case visible
}

extension ScreenDescription {
    init<B: Board & ~Copyable, Handler: TapHandler>(
        _ runtime: inout WatchRuntime<B, Handler>, _ described: DescribedRows
    ) {
        do throws(CBORError) {
            try self.init(cbor: try runtime.description().span)
        } catch {
            preconditionFailure("the runtime's own description is read back: \(error)")
        }
        let range =
            switch described {
            case .all: runtime.rows
            case .visible: runtime.visibleRows
            }
        // The runtime describes at most the rows that fit into its memory.
        guard range.count != rows.count else { return }
        firstDescribedRow = range.lowerBound
        rows = range.map { Row(runtime.item(row: $0)) }
    }

    /// Formats the time of day as the face shows it: HH:MM, or H:MM AM on a 12-hour clock.
    static func hoursAndMinutes(_ time: LocalTime, _ form: ClockForm) -> String {
        let (hour, minute) = Int(time.seconds / 60 % 1_440).quotientAndRemainder(dividingBy: 60)
        switch form {
        case .twentyFourHours: return "\(twoDigits(hour)):\(twoDigits(minute))"
        case .twelveHours: return "\(hour % 12 == 0 ? 12 : hour % 12):\(twoDigits(minute)) \(hour < 12 ? "AM" : "PM")"
        }
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension ScreenDescription.Row {
    fileprivate init(_ item: ListItem) {
        self.init(
            id: item.id.rawValue, title: String(item.title.utf8), state: item.shown,
            completeness: item.title.completeness)
    }
}

extension String {
    init(_ utf8: Span<UInt8>) {
        self = utf8.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
}
