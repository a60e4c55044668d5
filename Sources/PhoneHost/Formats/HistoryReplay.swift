import Foundation
import ShoppingOrder
import SystemPackage

/// A history from a file, for measuring an order against it: the JSON that `tapline phone history --json` prints.
///
/// An array of objects, oldest first. `event`, `id` and `time` (ISO 8601) are required, and `title` and `list` for one that was
/// checked off. One of a watch has `watch` (hexadecimal), `epoch`, `sequence`, and perhaps `watchLocalTime` (seconds since 1970 on
/// the watch's clock). Other keys, and events but `checked` and `unchecked`, are skipped.
package struct HistoryReplay: Sendable {
    /// What the order of a list foretold.
    package struct Measured: Equatable, Sendable {
        package let list: String
        package let replay: OrderReplay
    }

    /// The lists of the history, in the order of their names.
    package let lists: [Measured]

    private struct Entry: Decodable {
        var event: String
        var id: UInt32
        var title: String?
        var list: String?
        var time: String
        var watch: String?
        var epoch: UInt32?
        var sequence: UInt32?
        var watchLocalTime: UInt32?
    }

    /// The longest file that is read: 256 MiB.
    private static let mostBytes = 256 << 20

    /// The history in the file at `path`; `-` is the standard input.
    ///
    /// - Throws: `.file` where it cannot be read or is no history.
    package init(contentsOf path: String) throws(PhoneError) {
        do {
            let bytes =
                try path == "-"
                ? FileDescriptor.standardInput.rest(atMost: HistoryReplay.mostBytes)
                : FileDescriptor.bytes(ofFile: path, atMost: HistoryReplay.mostBytes)
            try self.init(json: Data(bytes), dependencies: .system)
        } catch let error as PhoneError {
            throw error
        } catch {
            let reason = error is Errno ? "cannot be read (\(error))" : "is not a history"
            throw .file(path: path, reason: "\(reason): give what `tapline phone history --json` prints")
        }
    }

    /// - Throws: `DecodingError` where it is no history.
    init(json: Data, dependencies: PhoneDependencies) throws {
        let entries = try JSONDecoder().decode([Entry].self, from: json)
        var replays: [String: OrderReplay] = [:]
        for (index, entry) in entries.enumerated() {
            guard let list = entry.list, let event = try HistoryReplay.event(entry, Int64(index) + 1, dependencies)
            else {
                continue
            }
            replays[list, default: OrderReplay()].take(event)
        }
        lists = replays.sorted { $0.key < $1.key }.map { list, replay in
            var replay = replay
            replay.finish()
            return Measured(list: list, replay: replay)
        }
    }

    private static func event(
        _ entry: Entry, _ number: Int64, _ dependencies: PhoneDependencies
    ) throws -> OrderEvent? {
        guard let event = HistoryEntry.Event(rawValue: entry.event) else { return nil }
        let whole = try? Date(entry.time, strategy: Date.ISO8601FormatStyle())
        let time = try whole ?? Date(entry.time, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        let arrival = Int64(dependencies.localSeconds(time))
        switch event {
        case .added, .renamed, .described, .repeated, .removed, .rejected: return nil
        case .unchecked: return .unchecked(number: number, item: entry.id, at: arrival)
        case .checked: break
        }
        guard let title = entry.title else { return nil }
        var source = CheckOff.Source.phone
        if let watch = entry.watch.flatMap({ UInt64($0, radix: 16) }), let epoch = entry.epoch,
            let sequence = entry.sequence
        {
            source = .watch(
                CheckOff.Tap(watch: watch, run: epoch, sequence: sequence, time: entry.watchLocalTime.map(Int64.init)))
        }
        return .checked(
            CheckOff(
                number: number, item: entry.id, title: title, arrival: arrival, source: source))
    }
}
