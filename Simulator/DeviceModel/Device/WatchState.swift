import Foundation
import HostSystem
import Watch
import WatchLink

/// The saved state of a simulated watch, from which another watch can continue. It contains only what survives a restart, so
/// the open screen is lost. The saved flash contains every check-off whose haptic the wearer felt.
///
/// Simulator/SCRIPTS.md describes the JSON keys.
package struct WatchState: Sendable, Equatable, Codable {
    /// The state of the link to the phone when the watch's state was saved. For information only, because `loadState` ignores
    /// it.
    package enum Link: String, Sendable, Codable {
        case up, down
    }

    package enum Motion: String, Sendable, Codable {
        case running, paused
    }

    package enum Switch: String, Sendable, Codable {
        case on, off
    }

    package struct Clock: Sendable, Equatable, Codable {
        package var speed: ClockSpeed
        package var state: Motion
    }

    static let format = "tapline watch state"
    static let newestVersion = 1
    /// The maximum length of the file of a saved state, in bytes. 32 MiB are enough for a flash of 16 MiB.
    static let longest = 32 << 20

    private var format = WatchState.format
    private var version = WatchState.newestVersion
    package var flash: FlashImage
    package var calendar: CalendarReading
    package var clock: Clock
    /// In `.cutUntil`, the instant is `.start` plus the remaining time of the cut.
    package var faults: WatchFaults
    package var battery: BatteryState
    package var link: Link
    /// `.on` if the watch is on the wrist. Nil, for a file without this key, means `.on`.
    package var wrist: Switch? = .on

    init(
        flash: FlashImage, calendar: CalendarReading, clock: Clock, faults: WatchFaults, battery: BatteryState,
        link: Link
    ) {
        self.flash = flash
        self.calendar = calendar
        self.clock = clock
        self.faults = faults
        self.battery = battery
        self.link = link
    }
}

extension WatchDevice {
    /// Waits until the watch's program has nothing to do, and returns the watch's state. By then, every check-off whose haptic
    /// the wearer felt is in the flash. A paused watch runs during the wait.
    package func saveState() throws(RestartError) -> WatchState {
        let motion = isPaused ? WatchState.Motion.paused : .running
        let flash = try restart(.read)
        var faults = faults?.faults ?? WatchFaults()
        if case .cutUntil(let end) = faults.link { faults.link = end > now ? .cutUntil(.start + (end - now)) : .open }
        var state = WatchState(
            flash: flash,
            calendar: calendar?.reading(at: now, ahead: control?.ahead ?? 0)
                ?? CalendarReading(keptBy: .watch, zone: 0),
            clock: WatchState.Clock(speed: control?.state.speed ?? .real, state: motion), faults: faults,
            battery: battery?.state ?? .full, link: snapshot.description.link == .reachable ? .up : .down)
        state.wrist = snapshot.description.wrist == .worn ? .on : .off
        return state
    }

    /// Restarts the watch with a saved state. Returns when the watch has started. If this throws, the watch continues
    /// unchanged, except that `.flashFailed` leaves the contents of its flash undefined.
    package func loadState(_ state: WatchState) throws(RestartError) {
        try restart(.load(state.flash))
        calendar?.restore(state.calendar, at: now, ahead: control?.ahead ?? 0)
        battery?.set(state.battery)
        let wrist: WristState = state.wrist == .off ? .removed : .worn
        if wrist != snapshot.description.wrist { send(.wrist(wrist == .worn ? .worn : .removed)) }
        if let switches = faults {
            var faults = state.faults
            if case .cutUntil(let end) = faults.link { faults.link = .cutUntil(now + (end - .start)) }
            switches.set(faults)
        }
        guard let control else { return }
        control.set(state.clock.speed)
        switch state.clock.state {
        case .running: control.resume()
        case .paused: control.pause()
        }
    }
}

// MARK: The file

extension WatchState {
    private struct Header: Decodable {
        var format: String
        var version: Int
    }

    package var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Encoding cannot fail: all values are text or finite numbers.
        return (try? encoder.encode(self)).map { Array($0) + [UInt8(ascii: "\n")] } ?? []
    }

    package init(json bytes: [UInt8]) throws(WatchStateError) {
        guard !bytes.isEmpty else { throw .empty }
        let (decoder, data) = (JSONDecoder(), Data(bytes))
        guard let header = try? decoder.decode(Header.self, from: data), header.format == WatchState.format else {
            // A truncated file is invalid JSON. It is still recognised by a key that every state contains.
            let isPart = String(decoding: bytes.prefix(4_096), as: UTF8.self).contains("\"battery\" : {")
            throw isPart ? .damaged("end") : .notAState
        }
        guard header.version <= WatchState.newestVersion else { throw .laterVersion(header.version) }
        guard header.version > 0 else { throw .damaged("version") }
        if let key = RepeatedKey.first(in: String(decoding: bytes, as: UTF8.self)) { throw .damaged(key) }
        do {
            self = try decoder.decode(WatchState.self, from: data)
        } catch let error as DecodingError {
            throw .damaged(error.key)
        } catch {
            throw .notAState
        }
        // The script command `zone` accepts the same range.
        guard (-14 * 3_600...14 * 3_600).contains(calendar.zone) else { throw .damaged("calendar.zone") }
    }

    package init(contentsOf path: String) throws(WatchStateError) {
        let bytes: [UInt8]
        do throws(DeviceModelError) {
            bytes = try HostFile.readWhole(path, atMost: WatchState.longest)
        } catch {
            if case .systemCall(_, errno: EFBIG) = error { throw .tooLong(limit: WatchState.longest) }
            throw .unreadable(reason: error.reason)
        }
        try self.init(json: bytes)
    }
}

extension DecodingError {
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

    fileprivate static func impossible(_ path: [any CodingKey]) -> DecodingError {
        .dataCorrupted(Context(codingPath: path, debugDescription: "an impossible value"))
    }
}

extension FlashImage: Codable {
    private enum Keys: CodingKey {
        case pageBytes, sectorBytes, sectors, fileSectors, contents
    }

    private struct SectorKey: CodingKey {
        let stringValue: String

        init(stringValue: String) { self.stringValue = stringValue }

        var intValue: Int? { nil }

        init?(intValue: Int) { nil }
    }

    /// The maximum size of the chip in a saved state, in bytes. Three-byte addresses reach 16 MiB.
    private static let largestChip = 16 << 20

    /// Encodes the chip's layout, and each sector's contents in base64 under the sector's number. Leaves out erased sectors.
    public func encode(to encoder: any Encoder) throws {
        var keys = encoder.container(keyedBy: Keys.self)
        try keys.encode(geometry.pageSize, forKey: .pageBytes)
        try keys.encode(geometry.sectorSize, forKey: .sectorBytes)
        try keys.encode(geometry.sectorCount, forKey: .sectors)
        try keys.encode(geometry.fileSectorCount, forKey: .fileSectors)
        var contents: [String: Data] = [:]
        for number in 0..<geometry.sectorCount {
            let sector = sector(number)
            if sector.contains(where: { $0 != 0xFF }) { contents[String(number)] = Data(sector) }
        }
        try keys.encode(contents, forKey: .contents)
    }

    /// - Throws: `DecodingError` if a key is missing, the layout is invalid, or a sector does not fit the layout.
    public init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: Keys.self)
        let (page, sector) = (
            try keys.decode(Int.self, forKey: .pageBytes), try keys.decode(Int.self, forKey: .sectorBytes)
        )
        let (count, files) = (
            try keys.decode(Int.self, forKey: .sectors), try keys.decode(Int.self, forKey: .fileSectors)
        )
        let range = 1...FlashImage.largestChip
        guard range.contains(page), range.contains(sector), range.contains(count), sector % page == 0,
            count <= FlashImage.largestChip / sector, (0...count).contains(files)
        else { throw DecodingError.impossible(decoder.codingPath) }
        let geometry = FlashGeometry(pageSize: page, sectorSize: sector, sectorCount: count, fileSectorCount: files)
        var bytes = [UInt8](repeating: 0xFF, count: geometry.capacity)
        let contents = try keys.nestedContainer(keyedBy: SectorKey.self, forKey: .contents)
        for key in contents.allKeys {
            guard let number = Int(key.stringValue), (0..<count).contains(number),
                let part = try? contents.decode(Data.self, forKey: key), part.count == sector
            else { throw DecodingError.impossible(contents.codingPath + [key]) }
            bytes.replaceSubrange(number * sector..<(number + 1) * sector, with: part)
        }
        guard let image = FlashImage(geometry, bytes: bytes) else { throw DecodingError.impossible(decoder.codingPath) }
        self = image
    }
}

extension ClockSpeed: Codable {
    /// Encodes the speed as a multiple of real time.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(factor)
    }

    /// - Throws: `DecodingError` if the speed is outside `range`.
    public init(from decoder: any Decoder) throws {
        guard let speed = ClockSpeed(try decoder.singleValueContainer().decode(Double.self)) else {
            throw DecodingError.impossible(decoder.codingPath)
        }
        self = speed
    }
}

extension BatteryState: Codable {
    private enum Keys: CodingKey {
        case percent, charging
    }

    /// Encodes the charge in percent, and `on` or `off` for the charger.
    public func encode(to encoder: any Encoder) throws {
        var keys = encoder.container(keyedBy: Keys.self)
        try keys.encode(percent, forKey: .percent)
        try keys.encode(isCharging ? WatchState.Switch.on : .off, forKey: .charging)
    }

    /// - Throws: `DecodingError` if a key is missing, or if the charge is not 0 to 100 percent.
    public init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: Keys.self)
        let isCharging = try keys.decode(WatchState.Switch.self, forKey: .charging) == .on
        guard let state = BatteryState(percent: try keys.decode(Int.self, forKey: .percent), isCharging: isCharging)
        else { throw DecodingError.impossible(keys.codingPath + [Keys.percent]) }
        self = state
    }
}

extension WatchFaults: Codable {
    private enum Keys: CodingKey {
        case lossPercent, link, cutMicroseconds, jitterMicroseconds, phoneMicroseconds, flash, battery
    }

    private enum LinkWord: String, Codable {
        case open, cut
    }

    /// Encodes the faults. For a timed cut of the link, encodes the end of the cut in microseconds from `Instant.start`. In a
    /// `WatchState`, this number is the remaining time of the cut.
    public func encode(to encoder: any Encoder) throws {
        var keys = encoder.container(keyedBy: Keys.self)
        try keys.encode(percentLost, forKey: .lossPercent)
        try keys.encode(link == .open ? LinkWord.open : .cut, forKey: .link)
        if case .cutUntil(let end) = link { try keys.encode((end - .start).count, forKey: .cutMicroseconds) }
        try keys.encode(jitter.count, forKey: .jitterMicroseconds)
        try keys.encode(phone.count, forKey: .phoneMicroseconds)
        try keys.encode(flash, forKey: .flash)
        try keys.encode(supply, forKey: .battery)
    }

    /// - Throws: `DecodingError` if a key is missing or a value is invalid. A value is invalid if no script can set it.
    public init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: Keys.self)
        func number(_ key: Keys, upTo most: UInt64) throws -> UInt64 {
            // For a negative number, the decoder's own error would lack the key.
            guard let number = try? keys.decode(UInt64.self, forKey: key), number <= most else {
                throw DecodingError.impossible(keys.codingPath + [key])
            }
            return number
        }
        self.init(
            loss: Double(try number(.lossPercent, upTo: 100)) / 100,
            jitter: Microseconds(try number(.jitterMicroseconds, upTo: 10_000_000)),
            phone: Microseconds(try number(.phoneMicroseconds, upTo: 60_000_000)),
            flash: try keys.decode(FlashPace.self, forKey: .flash),
            supply: try keys.decode(Supply.self, forKey: .battery))
        switch try keys.decode(LinkWord.self, forKey: .link) {
        case .open: link = .open
        case .cut where keys.contains(.cutMicroseconds):
            let cut = try number(.cutMicroseconds, upTo: UInt64(UInt32.max) * 1_000_000)
            link = .cutUntil(.start + Microseconds(cut))
        case .cut: link = .cut
        }
    }
}

/// The reason why a file cannot be loaded as a saved state. A message shows `description` after the file's name.
package enum WatchStateError: Error, Equatable, Sendable {
    case unreadable(reason: String)
    case tooLong(limit: Int)
    case empty
    case notAState
    case laterVersion(Int)
    /// A value in the file is missing or invalid. The text names the value, for example `calendar.zone`. For a file that is cut
    /// off, the text is `end`.
    case damaged(String)
}

extension WatchStateError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable(let reason): "\(reason): name a file that save has written"
        case .tooLong(let limit):
            "it has more than \(CountText(limit, "byte")), which no state of a watch has: name a file that save has written"
        case .empty: "it is empty: name a file that save has written"
        case .notAState: "it is not the state of a watch: name a file that save has written"
        case .laterVersion(let version):
            "it is of version \(version), and this tapline reads up to \(WatchState.newestVersion): load it with the tapline that has saved it"
        case .damaged(let what):
            "its \(SanitizedLine(what)) cannot be right: save it again, or load an intact copy"
        }
    }
}
