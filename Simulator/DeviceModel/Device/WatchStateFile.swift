import Foundation
import Watch
import WatchLink

/// The state of a watch as JSON, with these keys. Simulator/README.md describes them.
struct WatchStateFile: Codable {
    static let format = "tapline watch state"
    /// The version that is written, the newest that is read.
    static let newestVersion = 1
    /// The most bytes of a file that is read: 32 MiB, enough for a flash chip of 16 MiB.
    static let longest = 32 << 20

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
        /// Seconds since 1970 on the clock that the wearer sees; nil until the clock is set.
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
    package var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Texts and finite numbers alone, which always can be written.
        return (try? encoder.encode(WatchStateFile(self))).map { Array($0) + [UInt8(ascii: "\n")] } ?? []
    }

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
        @unknown default: path = []  // DecodingError, of the standard library.
        }
        return path.isEmpty ? "text" : path.map(\.stringValue).joined(separator: ".")
    }
}

extension WatchStateFile {
    init(_ state: WatchState) {
        let geometry = state.flash.geometry
        var contents: [String: String] = [:]
        for number in 0..<geometry.sectorCount {
            let sector = state.flash.sector(number)
            guard sector.contains(where: { $0 != 0xFF }) else { continue }
            contents[String(number)] = Data(sector).base64EncodedString()
        }
        flash = Flash(
            pageBytes: geometry.pageSize, sectorBytes: geometry.sectorSize, sectors: geometry.sectorCount,
            fileSectors: geometry.fileSectorCount, contents: contents)
        let keeper =
            switch state.calendar {
            case .unset, .ofWatch: "watch"
            case .ofMachine: "machine"
            }
        calendar = Calendar(shows: state.calendar.time?.seconds, keptBy: keeper, zone: state.zone)
        clock = Clock(speed: state.speed.factor, state: state.motion.rawValue)
        faults = Faults(state.faults)
        battery = Battery(percent: Int(state.battery.percent), charging: state.battery.isCharging ? "on" : "off")
        link = state.link.rawValue
        wrist = state.wrist == .worn ? "on" : "off"
    }

    /// The state that the file has.
    ///
    /// - Throws: `.damaged` for the first value that cannot be.
    var state: WatchState {
        get throws(WatchStateError) {
            guard let speed = ClockSpeed(clock.speed) else { throw .damaged("clock.speed") }
            guard let motion = WatchState.Motion(rawValue: clock.state) else { throw .damaged("clock.state") }
            guard let link = WatchState.Link(rawValue: link) else { throw .damaged("link") }
            guard var battery = BatteryState(percent: battery.percent) else { throw .damaged("battery.percent") }
            battery.isCharging = try WatchStateFile.value(
                self.battery.charging, of: ["on": true, "off": false], "battery.charging")
            // What the script's word can set.
            guard (-14 * 3_600...14 * 3_600).contains(calendar.zone) else { throw .damaged("calendar.zone") }
            let wrist: WristState = try WatchStateFile.value(
                self.wrist ?? "on", of: ["on": .worn, "off": .removed], "wrist")
            return WatchState(
                flash: try flash.image, calendar: try calendar.reading, zone: calendar.zone, speed: speed,
                motion: motion, faults: try faults.faults, battery: battery, link: link, wrist: wrist)
        }
    }

    fileprivate static func value<Value>(
        _ word: String, of values: [String: Value], _ key: String
    ) throws(WatchStateError) -> Value {
        guard let value = values[word] else { throw .damaged(key) }
        return value
    }
}

extension WatchStateFile.Flash {
    /// The most bytes of a chip: 16 MiB, what three bytes of an address reach.
    private static let largestChip = 16 << 20

    fileprivate var image: FlashImage {
        get throws(WatchStateError) {
            let range = 1...Self.largestChip
            guard range.contains(pageBytes), range.contains(sectorBytes), range.contains(sectors),
                sectorBytes % pageBytes == 0, sectors <= Self.largestChip / sectorBytes,
                (0...sectors).contains(fileSectors)
            else { throw .damaged("flash") }
            let geometry = FlashGeometry(
                pageSize: pageBytes, sectorSize: sectorBytes, sectorCount: sectors, fileSectorCount: fileSectors)
            var bytes = [UInt8](repeating: 0xFF, count: geometry.capacity)
            for (number, text) in contents {
                guard let number = Int(number), (0..<sectors).contains(number), let sector = Data(base64Encoded: text),
                    sector.count == sectorBytes
                else { throw .damaged("flash.contents.\(number)") }
                bytes.replaceSubrange(number * sectorBytes..<(number + 1) * sectorBytes, with: sector)
            }
            guard let image = FlashImage(geometry, bytes: bytes) else { throw .damaged("flash") }
            return image
        }
    }
}

extension WatchStateFile.Calendar {
    fileprivate var reading: CalendarReading {
        get throws(WatchStateError) {
            let time = shows.map { LocalTime(seconds: $0) }
            return try WatchStateFile.value(
                keptBy,
                of: [
                    "watch": time.map { .ofWatch($0) } ?? .unset, "machine": time.map { .ofMachine($0) } ?? .unset,
                ], "calendar.keptBy")
        }
    }
}

extension WatchStateFile.Faults {
    fileprivate init(_ faults: WatchFaults) {
        lossPercent = faults.percentLost
        switch faults.link {
        case .open: (link, cutMicroseconds) = ("open", nil)
        case .cut: (link, cutMicroseconds) = ("cut", nil)
        case .cutUntil(let end): (link, cutMicroseconds) = ("cut", (end - .start).count)
        }
        jitterMicroseconds = faults.jitter.count
        phoneMicroseconds = faults.phone.count
        flash = faults.flash == .typical ? "typical" : "maximum"
        battery = faults.supply == .sufficient ? "charged" : "low"
    }

    fileprivate var faults: WatchFaults {
        get throws(WatchStateError) {
            // What the script's words can set.
            guard (0...100).contains(lossPercent) else { throw .damaged("faults.lossPercent") }
            guard jitterMicroseconds <= 10_000_000 else { throw .damaged("faults.jitterMicroseconds") }
            guard phoneMicroseconds <= 60_000_000 else { throw .damaged("faults.phoneMicroseconds") }
            let cut = cutMicroseconds ?? 0
            guard cut <= UInt64(UInt32.max) * 1_000_000 else { throw .damaged("faults.cutMicroseconds") }
            var faults = WatchFaults(
                loss: Double(lossPercent) / 100, jitter: Microseconds(jitterMicroseconds),
                phone: Microseconds(phoneMicroseconds),
                flash: try WatchStateFile.value(flash, of: ["typical": .typical, "maximum": .maximum], "faults.flash"),
                supply: try WatchStateFile.value(
                    battery, of: ["charged": .sufficient, "low": .low], "faults.battery"))
            faults.link = try WatchStateFile.value(
                link,
                of: ["open": .open, "cut": cutMicroseconds == nil ? .cut : .cutUntil(.start + Microseconds(cut))],
                "faults.link")
            return faults
        }
    }
}
