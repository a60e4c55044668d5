import DeviceModel
import Emulator
import WatchLink

/// How long a firmware image takes from a tap to the update of the panel. Times are in microseconds.
///
/// The touch is the moment at which the touch controller's interrupt line reports the finger. If only the finger's lift changes
/// the panel, the touch is the moment at which the line reports the lift. The update is every pixel that changes after the tap,
/// until no pixel has changed for 250 ms.
public struct ImageReport: Sendable, Encodable {
    package struct Part: Sendable, Encodable {
        package let name: String
        package let time: Distribution
        package let mean: Double
    }

    package struct Charge: Sendable, Encodable {
        package let name: String
        package let microcoulombs: Double
    }

    package struct Rest: Sendable, Encodable {
        package let microamperes: Double
        /// How many days the PineTime's battery of 180 mAh lasts at `microamperes`.
        package let days: Double
    }

    package static let currentFormat = 1
    package let format = ImageReport.currentFormat
    package let firmware: String
    package let board: String
    /// The coordinates of the pixel that the finger taps, such as "120,80".
    package let place: String
    package let taps: Int
    /// The time from the touch to the last pixel of the update, for each tap in order.
    package let times: [UInt64]
    /// The time from the touch to the first pixel of the update.
    public let firstPixel: Distribution
    /// The time from the touch to the last pixel of the update.
    public let lastPixel: Distribution
    /// The time from the touch until the processor core first sleeps after the last pixel. Omits taps after which the core
    /// stays awake for a second. Nil if all taps are omitted.
    public let asleepAgain: Distribution?
    package let pixels: Double
    package let parts: [Part]
    package let charge: [Charge]
    package let rest: Rest?
    package let functions: CallProfile

    init?(_ lab: FirmwareLab, firmware: String, board: String, place: String) {
        func times(_ cycles: (FirmwareLab.Tap) -> UInt64?) -> [Microseconds] {
            lab.taps.compactMap(cycles).map { Microseconds(($0 + 32) / 64) }
        }
        func mean(_ amount: (FirmwareLab.Tap) -> Double) -> Double {
            lab.taps.reduce(0) { $0 + amount($1) } / Double(max(lab.taps.count, 1))
        }
        let latencies = times(\.latency)
        guard let first = Distribution(times(\.toFirst)), let last = Distribution(latencies) else { return nil }
        (self.firmware, self.board, self.place, taps) = (firmware, board, place, lab.taps.count)
        self.times = latencies.map(\.count)
        (firstPixel, lastPixel) = (first, last)
        asleepAgain = Distribution(times { tap in tap.asleepAgain.map { $0 - tap.touch } })
        pixels = mean { Double($0.update.pixels) }
        parts = TapTime.Kind.allCases.compactMap { kind in
            Distribution(times { $0.time[kind] }).map {
                Part(name: kind.rawValue, time: $0, mean: mean { Double($0.time[kind]) / 64 })
            }
        }
        charge = PartCharge.Part.allCases.map { part in
            Charge(name: part.rawValue, microcoulombs: mean { $0.charge[part] })
        }
        // A firmware that stops while it rests has no figure for the rest.
        rest = (try? lab.restCurrent()).map { Rest(microamperes: $0, days: 180_000 / $0 / 24) }
        functions = lab.profile
    }

    package var shortest: UInt64 { times.min() ?? 0 }

    package var json: [UInt8] { reportJSON() }
}

/// The fields of an `ImageReport` in JSON that `tapline lab compare` reads.
struct FirmwareFigures: Decodable {
    struct Part: Decodable {
        var name: String
        var time: Distribution
    }

    var format: Int
    var firmware: String
    var board: String
    var place: String
    var taps: Int
    var lastPixel: Distribution
    var asleepAgain: Distribution?
    var parts: [Part]

    var handler: ComparedHandler {
        var marks = MarkTimes()
        (marks.updated, marks.settled) = (lastPixel, asleepAgain)
        return ComparedHandler(
            handler: "tap \(place)", profile: board, firmware: firmware, profileNumbers: [:], items: 0, database: 0,
            taps: taps, seed: 0,
            processor: .executed, ownCode: nil,
            stages: parts.map { ComparedHandler.Stage(name: $0.name, time: $0.time, instructionCount: .counted) },
            marks: marks)
    }
}
