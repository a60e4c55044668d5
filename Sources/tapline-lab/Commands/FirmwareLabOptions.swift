import ArgumentParser
import CommandSupport
import DeviceModel
import Emulator
import Foundation
import HostSystem
import TapLatency

/// The options of `tapline lab --firmware`.
struct FirmwareLabOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Measure tap to update of this firmware: an ELF, Intel HEX, MCUboot or raw image for the nRF52832.",
            valueName: "file"))
    var firmware: String?

    @Option(help: ArgumentHelp("The board of the firmware: pinetime or reference.", valueName: "board"))
    var board: String?

    @Option(help: ArgumentHelp("The address of a raw image, such as 0x8020.", valueName: "address"))
    var at: String?

    @Option(
        help: ArgumentHelp(
            "Inputs before the taps, such as 'wait 5s; swipe up; tap 42,82; button'. By default: wait 5s.",
            valueName: "inputs"))
    var after: String?

    @Option(help: ArgumentHelp("The place of the taps, in pixels.", valueName: "x,y"))
    var tap: String?

    @Option(
        help: ArgumentHelp(
            "The time from one tap to the next, by default 10ms. Each begins from the untouched watch.",
            valueName: "time"))
    var every: String?

    @Option(
        help: ArgumentHelp(
            "Exit with status 1 if the 99th percentile of tap to update is longer.", valueName: "time"))
    var budget: String?

    var areUnused: Bool { [firmware, board, at, after, tap, every, budget].allSatisfy { $0 == nil } }

    func validate() throws {
        guard firmware != nil else {
            if areUnused { return }
            throw ValidationError("--board, --at, --after, --tap, --every and --budget need --firmware.")
        }
        guard let tap, FirmwareInputs.point(tap) != nil else {
            throw ValidationError("--firmware needs --tap: two numbers, such as --tap 120,80.")
        }
        if let board, !["pinetime", "reference"].contains(board) {
            throw ValidationError("There is no board '\(board)': use pinetime or reference.")
        }
        if let at, FirmwareLabOptions.address(at) == nil {
            throw ValidationError("--at is an address, such as 0x8020.")
        }
        for (name, time) in [("every", every), ("budget", budget)] {
            if let time, FirmwareInputs.milliseconds(time) == nil {
                throw ValidationError("--\(name) is a time, such as 60ms or 2s.")
            }
        }
    }

    private static func address(_ text: String) -> UInt32? {
        text.hasPrefix("0x") ? UInt32(text.dropFirst(2), radix: 16) : UInt32(text)
    }

    /// Measures the firmware, and reports.
    ///
    /// - Parameter file: the value of `firmware`.
    func measure(_ file: String, taps: Int, _ files: LabFiles) throws {
        let name = URL(fileURLWithPath: file).lastPathComponent
        let lab: FirmwareLab
        let rest: RestCharge?
        let progress = ProgressLine()
        do {
            defer { progress.end() }
            (lab, rest) = try tapped(file, taps) { progress.show($0, of: taps, name) }
        } catch let error as EmulatorError {
            throw CommandFailure("cannot measure \(file): \(error)")
        } catch let error as DeviceModelError {
            throw CommandFailure("cannot read \(file): \(error.reason)")
        } catch let error as FirmwareInputs.Mistake {
            throw CommandFailure("--after: \(error)")
        }
        guard
            let report = ImageReport(
                lab, firmware: name, board: board ?? "pinetime", place: tap ?? "", rest: rest)
        else { throw CommandFailure("no tap was measured: use --taps 1 or more") }
        try files.write(json: report.json, html: report.page)
        try files.writeFlame(report.functions.folded(below: [report.firmware]))
        let limit = budget.flatMap { FirmwareInputs.milliseconds($0) }.map { UInt64($0) * 1_000 }
        try files.print(report.text(budget: limit))
        if let limit, report.lastPixel.p99 > limit { throw ExitCode(1) }
    }

    private func tapped(
        _ file: String, _ taps: Int, _ show: (Int) -> Void
    ) throws -> (lab: FirmwareLab, rest: RestCharge?) {
        let inputs = try FirmwareInputs(after ?? "wait 5s")
        let image = try FirmwareImage(HostFile.read(file), at: at.flatMap(FirmwareLabOptions.address))
        let model: BoardModel = board == "reference" ? .reference : .pineTime
        var lab = FirmwareLab(Machine(image, on: BoardDevices(model)))
        let (x, y) = tap.flatMap { FirmwareInputs.point($0) } ?? (0, 0)
        let pause = every.flatMap { FirmwareInputs.milliseconds($0) }
            .map { UInt64($0) * Machine.cyclesPerSecond / 1_000 }
        do throws(FirmwareLabError) {
            try inputs.give(to: &lab)
            for number in 1...max(taps, 1) {
                try lab.tap(x: x, y: y, every: pause ?? FirmwareLab.usualPause)
                show(number)
            }
        } catch {
            let busy = BusyLoop(lab.machine).map { "; \($0)" } ?? ""
            throw CommandFailure("cannot measure \(file): \(error)\(busy)")
        }
        return (lab, try? lab.rest())
    }
}

extension ImageReport {
    /// - Parameter budget: in microseconds.
    func text(budget: UInt64?) -> ReportText {
        let all = max(parts.reduce(0) { $0 + $1.mean }, 1)
        let bins = histogram
        let longest = bins.map(\.count).max() ?? 0
        let code = functions.functions.prefix(10).filter { $0.ownCycles > 0 }
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
            [
                .words(
                    "charge of a tap: "
                        + charge.filter { $0.microcoulombs >= 0.005 }
                        .map { "\($0.name) \(Figure.amount($0.microcoulombs)) µC" }.joined(separator: ", "))
            ]
                + (rest.map {
                    [
                        .words(
                            "at rest \(Figure.amount($0.microamperes)) µA: \(Figure.amount($0.days)) days from 180 mAh")
                    ]
                } ?? []),
            budget.map { limit in
                let judged = lastPixel.p99 > limit ? "over" : "within"
                return [
                    .words(
                        "tap to update \(Figure.time(lastPixel.p99)) (p99), \(judged) the budget of \(Figure.time(limit))",
                        .bold)
                ]
            } ?? [],
        ])
    }

    private func row(_ name: String, _ times: Distribution?, _ shortest: UInt64?) -> ReportText.Row {
        .texts(
            [name, shortest.map { Figure.time($0) } ?? ""]
                + [times?.p50, times?.p90, times?.p99, times?.max].map { Figure.time($0) })
    }

    /// At most twelve spans of equal length, whole milliseconds.
    private var histogram: [(from: UInt64, end: UInt64, count: Int)] {
        let (low, high) = (shortest / 1_000, lastPixel.max / 1_000)
        let width = (high - low) / 12 + 1
        return stride(from: low, through: high, by: Int(width)).map { start in
            let (from, end) = (start * 1_000, (start + width) * 1_000)
            return (from, end, times.count { $0 >= from && $0 < end })
        }
    }

    /// The report as a self-contained page.
    var page: [UInt8] {
        // In JSON, `<` is only in strings. Escaped, it cannot end the script element.
        let report = String(decoding: json, as: UTF8.self).replacing("<", with: "\\u003c")
        let page = String(decoding: PackageResources.FirmwarePage_html, as: UTF8.self)
        let place = #"<script type="application/json" id="report">{}"#
        return Array(page.replacing(place, with: place.dropLast(2) + report, maxReplacements: 1).utf8)
    }
}
