import CommandSupport
import DeviceModel
import FirmwareWatch
import Foundation
import TapLatency
import Testing

@testable import tapline_lab

private let imageUnderTest = ProcessInfo.processInfo.environment["FIRMWARE"]

/// The model's prediction and the firmware's image, which `FIRMWARE` names, side by side as the lab shows them.
@Suite(.enabled(if: imageUnderTest != nil, "FIRMWARE names no image"))
struct LabFirmwareParityTests {
    @Test(arguments: [8, 32, 128])
    func `the stages execute what the model charges for them, within an eighth of the whole`(items: Int) throws {
        let lab = try Lab(Conditions(items: items, taps: 5), steps: 19...19)
        let counted = try FirmwareStages.measure(
            image: try #require(imageUnderTest), phone: lab.conditions.phone, taps: lab.firmwareTaps)
        let report = try lab.run(firmware: counted.instructions)
        let stages = try #require(report.firmware).stages
        #expect(stages.map(\.name) == report.shipping.stages.map(\.name))
        let whole = stages.reduce(0) { $0 + $1.modelled }
        for stage in stages {
            // Each stage reports to its board and some drive it, and the two images have different boards.
            let difference = abs(stage.measured - stage.modelled)
            #expect(difference <= whole / 8, "\(stage.name): \(stage.modelled) us, \(stage.measured) us")
        }
        #expect(report.steps.first?.verdict == .confirmed)
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

    @Test(arguments: ["/usr/local/bin/tapline", nil])
    func `without one it is that of the current directory`(executable: String?) {
        let path = FirmwareImage.watch.usualPath(executable: executable) { _ in false }
        #expect(path == ".build/armv7em-none-none-eabi/release/Firmware")
    }
}
