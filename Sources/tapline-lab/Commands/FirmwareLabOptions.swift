import ArgumentParser
import CommandSupport
import DeviceModel
import Emulator
import Foundation
import TapLatency
import WatchLink

struct FirmwareLabOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Measure tap to update of this firmware: an ELF, Intel HEX, MCUboot or raw image for the nRF52832.",
            valueName: "file"))
    var firmware: String?

    @Option(help: "The board of the firmware: pinetime or reference. By default pinetime.")
    var board: FirmwareBoard?

    @Option(
        help: ArgumentHelp("Where a raw image begins, such as 0x8020. By default 0.", valueName: "address"))
    var at: ImageAddress?

    @Option(
        help: ArgumentHelp(
            "Commands before the taps, such as 'wait until drawn; swipe up; wait 1s'. By default: wait until drawn.",
            valueName: "commands"))
    var after: String?

    @Option(
        help: ArgumentHelp("A script before the taps, instead of --after.", valueName: "file"), completion: .file())
    var script: String?

    @Option(help: ArgumentHelp("The place of the taps, in pixels.", valueName: "x,y"))
    var tap: TapPlace?

    @Option(
        help: ArgumentHelp(
            "The time from one tap to the next, by default 10ms. Each begins from the untouched watch.",
            valueName: "time"))
    var every: Microseconds?

    @Option(
        help: ArgumentHelp(
            "Exit with status 1 if the 99th percentile of tap to update is longer.", valueName: "time"))
    var budget: Microseconds?

    var areUnused: Bool {
        firmware == nil && board == nil && at == nil && after == nil && script == nil && tap == nil && every == nil
            && budget == nil
    }

    func validate() throws {
        guard firmware != nil || areUnused else {
            throw ValidationError("--board, --at, --after, --script, --tap, --every and --budget need --firmware.")
        }
        if firmware != nil && tap == nil { throw ValidationError("--firmware needs --tap, such as --tap 120,80.") }
        if after != nil && script != nil { throw ValidationError("Use either --after or --script, not both.") }
    }

    func measure(_ file: String, taps: Int, _ files: LabFiles) throws {
        guard let tap else { return }
        let report = try ProgressLine.during { progress in
            try TapLatency.measure(
                firmware: file, on: board ?? .pinetime, at: at?.value, tap: (tap.x, tap.y), taps: taps,
                every: every ?? .milliseconds(10),
                after: script.map { "include \($0)" } ?? after ?? "wait until drawn",
                report: { $0.split(separator: "\n").forEach { progress.say(String($0)) } },
                progress: { progress.show($0, of: taps, file) })
        }
        try files.write(
            report.text, json: report.json, html: report.page,
            flame: Array(report.functions.folded(below: [report.firmware]).joined().utf8))
        if let budget { try report.require(within: budget) }
    }
}

/// The pixel that the lab taps. The user gives it as X,Y, for example 120,80.
struct TapPlace: ExpressibleByArgument {
    let x, y: Int

    init?(argument: String) {
        guard let (x, y) = MachineCommand.point(argument) else { return nil }
        (self.x, self.y) = (x, y)
    }
}

extension FirmwareBoard: ExpressibleByArgument {}

extension Microseconds: ExpressibleByArgument {
    /// Reads a time such as 60ms or 2s. Nil if the text is not a time, or if the time is 0.
    public init?(argument: String) {
        guard let time = ScriptWords.duration(argument), time > .zero else { return nil }
        self = time
    }
}

extension ImageReport {
    var page: [UInt8] { LabFiles.page(PackageResources.FirmwarePage_html, json) }

    var text: ReportText {
        let all = max(parts.reduce(0) { $0 + $1.mean }, 1)
        let bins = histogram
        let longest = bins.map(\.count).max() ?? 0
        let code = functions.functions.prefix(10).filter { $0.ownCycles > 0 }
        let charges = charge.filter { $0.microcoulombs >= 0.005 }
            .map { "\($0.name) \(Figure.amount($0.microcoulombs)) µC" }
        let atRest = rest.map {
            "at rest \(Figure.amount($0.microamperes)) µA: \(Figure.amount($0.days)) days from 180 mAh"
        }
        return ReportText([
            [.words("\(firmware) on \(board): tap \(place), taps: \(taps), from the edge of the touch interrupt")],
            [
                .table(
                    [.left(""), .right("min"), .right("p50"), .right("p90"), .right("p99"), .right("max")],
                    [
                        row("first pixel", firstPixel, nil), row("last pixel", lastPixel, shortest),
                        row("asleep again", asleepAgain, nil),
                    ])
            ],
            [
                .table(
                    [.left("last pixel"), .right("taps"), .bars],
                    bins.map { bin in
                        .cells([
                            .init("\(Figure.time(bin.from)) to \(Figure.time(bin.end))"), .init("\(bin.count)"),
                            .init(bar: UInt64(bin.count), of: UInt64(longest)),
                        ])
                    })
            ],
            [
                .table(
                    [.left("until the last pixel"), .right("mean"), .right("share"), .right("p99")],
                    parts.filter { $0.mean > 0 }.map {
                        .texts([$0.name, Figure.time($0.mean), Figure.share($0.mean / all), Figure.time($0.time.p99)])
                    })
            ],
            code.isEmpty
                ? []
                : [
                    .table(
                        [.right("cycles a tap"), .left("function, without what it calls")],
                        code.map { .texts([Figure.count($0.ownCycles / max(taps, 1)), $0.name]) })
                ],
            [.words("charge of a tap: \(charges.joined(separator: ", "))")]
                + [atRest].compactMap(\.self).map { .words($0) },
        ])
    }

    private func row(_ name: String, _ times: Distribution?, _ shortest: UInt64?) -> ReportText.Row {
        .texts(
            [name, shortest.map { Figure.time($0) } ?? ""]
                + [times?.p50, times?.p90, times?.p99, times?.max].map { Figure.time($0) })
    }

    /// A histogram of the times from touch to last pixel, in microseconds. It has at most twelve bins of the same width, which
    /// is a whole number of milliseconds. A bin contains `from`, but not `end`.
    private var histogram: [(from: UInt64, end: UInt64, count: Int)] {
        let (low, high) = (shortest / 1_000, lastPixel.max / 1_000)
        let width = (high - low) / 12 + 1
        return stride(from: low, through: high, by: Int(width)).map { start in
            let (from, end) = (start * 1_000, (start + width) * 1_000)
            return (from, end, times.count { $0 >= from && $0 < end })
        }
    }
}
