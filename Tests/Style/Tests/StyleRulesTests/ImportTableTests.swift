import Testing

@testable import StyleRules

@Suite struct ImportTableTests {
    @Test(arguments: [
        ("import WatchLink", "Hardware/Watch/Screen.swift"),
        ("import struct Watch.Screen", "Simulator/DeviceModel/Board.swift"),
        ("import GRDB", "Sources/PhoneHost/Store.swift"),
        ("import ArgumentParser\nimport PhoneHost", "Sources/tapline/Phone.swift"),
        ("import Testing\n@testable import Watch\nimport DeviceModel", "Tests/WatchTests/ScreenTests.swift"),
        ("let x = 1", "Sources/WatchLink/Instant.swift"),
    ])
    func importAlongAnArrowIsFine(_ text: String, _ path: String) {
        #expect(reports(ImportTable.tapline, text, at: path) == [])
    }

    @Test(arguments: [
        ("import Foundation", "Sources/WatchLink/Instant.swift"),
        ("import Glibc", "Hardware/Watch/Screen.swift"),
        ("import Synchronization", "Hardware/Watch/Screen.swift"),
        ("import Watch", "Sources/WatchLink/Instant.swift"),
        ("import Wormhole", "Simulator/DeviceModel/Board.swift"),
        ("import GRDB", "Sources/tapline/Phone.swift"),
        ("@preconcurrency import DeviceModel", "Sources/Wormhole/Peer.swift"),
        ("import PhoneHost", "Tests/WatchTests/ScreenTests.swift"),
    ])
    func importAgainstAnArrowIsReported(_ text: String, _ path: String) {
        #expect(reports(ImportTable.tapline, text, at: path) == ["1: imports"])
    }

    @Test func fileOutsideTheTableIsReported() {
        #expect(reports(ImportTable.tapline, "let x = 1", at: "Sources/Other/File.swift") == ["1: imports"])
    }

    @Test func cModuleIsMetByOneFile() {
        let first = SourceFile(path: "Sources/Pictures/A.swift", text: "import CPNG")
        let second = "\nimport CPNG"
        #expect(reports(ImportTable.tapline, second, at: "Tests/PicturesTests/BTests.swift", beside: [first]) == [])
        #expect(reports(ImportTable.tapline, second, at: "Sources/Pictures/B.swift") == [])
        #expect(
            reports(ImportTable.tapline, second, at: "Sources/Pictures/B.swift", beside: [first]) == ["2: imports"]
        )
    }
}
