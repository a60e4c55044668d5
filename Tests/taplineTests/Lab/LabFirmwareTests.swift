import CommandSupport
import DeviceModel
import FirmwareWatch
import Foundation
import TapLatency
import Testing
import Watch
import WatchLink

@testable import tapline_lab

private let imageUnderTest = ProcessInfo.processInfo.environment["FIRMWARE"]

/// The table of counts and the firmware's image in QEMU, which `FIRMWARE` names.
@Suite(.enabled(if: imageUnderTest != nil, "FIRMWARE names no image"))
struct LabFirmwareParityTests {
    /// The mean instructions of each stage on the image, over five taps. QEMU executes one instruction in 16 ns. A tap is exact to the
    /// board's timer, three instructions at either end.
    private func counted(_ conditions: Conditions) throws -> [String: Double] {
        let bench = try FirmwareBench(image: try #require(imageUnderTest), phone: conditions.phone)
        bench.connect()
        // The list that has just come is in the journal, and the sectors behind it are erased.
        bench.run(for: .seconds(2))
        var counts: [String: [Int]] = [:]
        for _ in 0..<5 {
            bench.tap(0)
            bench.run(for: .seconds(1))
            for stage in bench.output.taps.histories.last?.stages ?? [] {
                counts[stage.name, default: []] += [stage.instructions].compactMap(\.self)
            }
        }
        return counts.mapValues { Double($0.reduce(0, +)) / Double($0.count) }
    }

    @Test(arguments: [8, 32, 128])
    func `the stages execute what the model charges for them, within an eighth of the whole`(items: Int) throws {
        let measured = try counted(Conditions(items: items))
        // A full watch belongs to a phone with more.
        let modelled = CountTable.measured(items: items < 128 ? items : 2_000).stages
        #expect(Set(measured.keys) == Set(StageSequence(of: ShippingHandler())?.stages.map(\.name) ?? []))
        let whole = modelled.values.reduce(0) { $0 + $1.instructions }
        for (name, count) in measured {
            // Each stage reports to its board and some drive it, and the two images have different boards.
            let model = try #require(modelled[name]).instructions
            #expect(abs(count - Double(model)) <= Double(whole) / 8, "\(name): \(model), \(count) instructions")
        }
        let sum = measured.values.reduce(0, +)
        // The lab's image asks the host for what the firmware's board does itself, such as programming the flash chip.
        #expect(abs(sum / Double(whole) - 1) <= 0.2)
    }
}

/// A directory that looks like a checkout, with the command where a build puts it.
struct LabCheckoutTests: ~Copyable {
    private let directory = FileManager.default.temporaryDirectory.appending(path: "checkout-\(UUID().uuidString)").path

    init() throws {
        for file in ["Hardware/build", "Hardware/Watch/Tap.swift", "Sources/WatchLink/Link.swift", "Package.swift"] {
            try write(file, at: Date(timeIntervalSince1970: 1_000))
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    private func write(_ file: String, at time: Date) throws {
        let path = "\(directory)/\(file)"
        let folder = URL(filePath: path).deletingLastPathComponent().path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path)
    }

    private var checkout: LabCheckout? { LabCheckout(executable: "\(directory)/.build/x86_64/release/tapline") }

    @Test func `it is where the command was built`() throws {
        #expect(checkout?.directory == directory)
        #expect(LabCheckout(executable: "/usr/bin/tapline") == nil)
        #expect(LabCheckout(executable: "\(directory)/bin/x86_64/release/tapline") == nil)
        #expect(LabCheckout(executable: nil) == nil)
    }

    @Test func `its image is current until a source is newer`() throws {
        let checkout = try #require(checkout)
        #expect(checkout.state == .missing)
        try write(".build/armv7em-none-none-eabi/release/LabFirmware", at: Date(timeIntervalSince1970: 2_000))
        #expect(checkout.state == .current)
        try write("Hardware/Watch/Notes.md", at: Date(timeIntervalSince1970: 3_000))
        #expect(checkout.state == .current)
        try write("Hardware/Watch/New.swift", at: Date(timeIntervalSince1970: 3_000))
        #expect(checkout.state == .outdated)
        try write(".build/armv7em-none-none-eabi/release/LabFirmware", at: Date(timeIntervalSince1970: 4_000))
        #expect(checkout.state == .current)
        try write("Package.swift", at: Date(timeIntervalSince1970: 5_000))
        #expect(checkout.state == .outdated)
    }
}

struct FirmwareImageTests {
    private static let beside = "/src/.build/armv7em-none-none-eabi/release/Firmware"

    @Test func `the image beside the command's own build is the usual one`() {
        let path = FirmwareImage.watch.usualPath(executable: "/src/.build/x86_64-unknown-linux-gnu/debug/tapline") {
            $0 == Self.beside
        }
        #expect(path == Self.beside)
    }

    @Test func `the image that was installed with the command is the usual one`() {
        let path = FirmwareImage.lab.usualPath(executable: "/usr/bin/tapline-lab") {
            $0 == "/usr/lib/tapline/LabFirmware"
        }
        #expect(path == "/usr/lib/tapline/LabFirmware")
    }

    @Test(arguments: ["/usr/local/bin/tapline", nil])
    func `without one it is that of the current directory`(executable: String?) {
        let path = FirmwareImage.watch.usualPath(executable: executable) { _ in false }
        #expect(path == ".build/armv7em-none-none-eabi/release/Firmware")
    }
}
