import CommandSupport
import Foundation
import Testing

@testable import tapline_lab

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
    private static let beside = "/src/.build/armv7em-none-none-eabi/release/ReferenceFirmware"

    @Test func `the image beside the command's own build is the usual one`() {
        let path = FirmwareImage.reference.usualPath(executable: "/src/.build/x86_64-unknown-linux-gnu/debug/tapline") {
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
        let path = FirmwareImage.reference.usualPath(executable: executable) { _ in false }
        #expect(path == ".build/armv7em-none-none-eabi/release/ReferenceFirmware")
    }
}
