import DeviceModel
import Emulator
import HostSystem
import WatchLink

/// A board that the emulator models.
public enum FirmwareBoard: String, CaseIterable, Sendable {
    case pinetime, reference

    var model: BoardModel {
        switch self {
        case .pinetime: .pineTime
        case .reference: .reference
        }
    }
}

/// Executes a firmware image cycle by cycle on an emulated watch. Taps the watch several times, and measures the time from each
/// touch to the last pixel that it changes.
///
/// - Parameters:
///   - firmware: the path of an ELF, Intel HEX, MCUboot or raw image for the nRF52832.
///   - address: where a raw image begins; nil for 0.
///   - taps: the number of taps, 1 to 100,000.
///   - pause: the mean time from one tap to the next. Each tap has its own copy of the watch, so no tap affects a later tap.
///   - script: the commands before the taps, with `;` or line breaks between them. `Simulator/SCRIPTS.md` lists them.
///   - report: receives the text that explains an error, such as what the script printed, or the registers at a fault.
///   - progress: receives the number of each measured tap.
/// - Throws: `.taps`, or `.firmware` with the reason.
public func measure(
    firmware: String, on board: FirmwareBoard = .pinetime, at address: UInt32? = nil, tap place: (x: Int, y: Int),
    taps: Int = 100, every pause: Microseconds = .milliseconds(10), after script: String = "wait until drawn",
    report: (String) -> Void = { _ in }, progress: (Int) -> Void = { _ in }
) throws(TapLatencyError) -> ImageReport {
    guard (1...100_000).contains(taps) else { throw .taps(taps) }
    let name = "\(SanitizedLine(firmware.split(separator: "/").last ?? "firmware"))"
    let image: FirmwareImage
    do { image = try FirmwareImage(try HostFile.read(firmware), at: address) } catch {
        let reason = (error as? DeviceModelError)?.reason ?? "\(error)"
        throw .firmware("\(name): \(reason)")
    }
    var printed = ""
    var runner = MachineRunner(Machine(image, on: BoardDevices(board.model)), file: "before the taps") { printed += $0 }
    do throws(ScriptError) { try runner.run(script: script.replacing(";", with: "\n")) } catch {
        report(printed)
        throw .firmware("\(name): \(error)")
    }
    var lab = FirmwareLab(runner.machine)
    do throws(FirmwareLabError) {
        for number in 1...taps {
            try lab.tap(x: place.x, y: place.y, every: pause.count * 64)
            progress(number)
        }
    } catch {
        report(error.report.map { $0 + "\n" }.joined())
        throw .firmware("\(name): \(error)")
    }
    // At least one tap was measured, so the report has its figures.
    guard let figures = ImageReport(lab, firmware: name, board: board.rawValue, place: "\(place.x),\(place.y)") else {
        throw .taps(taps)
    }
    return figures
}

extension ImageReport {
    /// Throws `.budgetExceeded` if more than 1 % of the taps take longer than `limit` from the touch to the last pixel.
    public func require(within limit: Microseconds) throws(TapLatencyError) {
        guard lastPixel.p99 > limit.count else { return }
        var finding =
            "\(firmware): tap to update \(Figure.time(lastPixel.p99)) (p99), over the budget of \(Figure.time(limit.count))"
        if let part = parts.max(by: { $0.mean < $1.mean }) { finding += ": most of it is \(part.name)" }
        throw .budgetExceeded(finding)
    }
}
