import Foundation
import Watch
import WatchLink

/// The state of a watch as JSON, with these keys. Simulator/README.md describes them.
struct WatchStateFile: Codable {
    /// What `format` says, which tells the file from others.
    static let format = "tapline watch state"
    /// The version that is written, the newest that is read.
    static let newestVersion = 1
    /// The most bytes of a file that is read: 32 MiB, enough for a flash chip of 16 MiB.
    static let longest = 32 << 20

    /// What tells whether the rest can be read.
    struct Header: Decodable {
        var format: String
        var version: Int
    }

    struct Flash: Codable {
        var pageBytes: Int
        var sectorBytes: Int
        var sectors: Int
        var fileSectors: Int
        /// The sectors that are not erased throughout, each in base64, by their numbers.
        var contents: [String: String]
    }

    struct Calendar: Codable {
        /// Seconds since 1970 on the clock that the wearer sees; nil while nobody has set it.
        var shows: UInt32?
        /// `watch`, or `machine` where the machine's clock keeps it right.
        var keptBy: String
        /// Seconds east of UTC.
        var zone: Int64
    }

    struct Clock: Codable {
        var speed: Double
        var state: String
    }

    struct Faults: Codable {
        var lossPercent: Int
        /// `open` or `cut`.
        var link: String
        /// For how long it stays cut; nil for until `fault open`.
        var cutMicroseconds: UInt64?
        var jitterMicroseconds: UInt64
        var phoneMicroseconds: UInt64
        /// `typical` or `maximum`.
        var flash: String
        /// `charged` or `low`.
        var battery: String
    }

    struct Battery: Codable {
        var percent: Int
        /// `on` or `off`.
        var charging: String
    }

    var format = WatchStateFile.format
    var version = WatchStateFile.newestVersion
    var flash: Flash
    var calendar: Calendar
    var clock: Clock
    var faults: Faults
    var battery: Battery
    /// `up` or `down`.
    var link: String
    /// `on` or `off`; left out for on.
    var wrist: String?
}

extension WatchState {
    /// The bytes of the file with this state.
    package var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Texts and finite numbers alone, which always can be written.
        return (try? encoder.encode(WatchStateFile(self))).map { Array($0) + [UInt8(ascii: "\n")] } ?? []
    }

    /// The state in the bytes of a file.
    package init(json bytes: [UInt8]) throws(WatchStateError) {
        guard !bytes.isEmpty else { throw .empty }
        let (decoder, data) = (JSONDecoder(), Data(bytes))
        guard let header = try? decoder.decode(WatchStateFile.Header.self, from: data),
            header.format == WatchStateFile.format
        else {
            // A file that was cut off is no JSON any more, and still says at its beginning or end what it is.
            let isPart = String(decoding: bytes.prefix(4_096), as: UTF8.self).contains("\"battery\" : {")
            throw isPart ? .damaged("end") : .notAState
        }
        guard header.version <= WatchStateFile.newestVersion else { throw .laterVersion(header.version) }
        guard header.version > 0 else { throw .damaged("version") }
        let file: WatchStateFile
        do {
            file = try decoder.decode(WatchStateFile.self, from: data)
        } catch let error as DecodingError {
            throw .damaged(error.key)
        } catch {
            throw .notAState
        }
        self = try file.state
    }

    /// The state in the file at `path`.
    package init(contentsOf path: String) throws(WatchStateError) {
        let bytes: [UInt8]
        do throws(DeviceModelError) {
            bytes = try HostFile.readWhole(path, atMost: WatchStateFile.longest)
        } catch {
            if case .systemCall(_, errno: EFBIG) = error { throw .tooLong(limit: WatchStateFile.longest) }
            throw .unreadable(reason: error.reason)
        }
        try self.init(json: bytes)
    }
}

extension DecodingError {
    /// The keys that lead to what is wrong.
    fileprivate var key: String {
        let path: [any CodingKey]
        switch self {
        case .keyNotFound(let key, let context): path = context.codingPath + [key]
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            path = context.codingPath
        @unknown default: path = []
        }
        return path.isEmpty ? "text" : path.map(\.stringValue).joined(separator: ".")
    }
}
