import Foundation
import Testing

@testable import Emulator

@Suite(.enabled(if: LabImageUnderTest.path != nil, "LAB_FIRMWARE names no image"))
struct LabImageTests {
    @Test func `it names its handlers and their stages`() throws {
        let image = try LabImageUnderTest.load()
        #expect(image.handlers.map(\.name) == ["shipping", "legacy", "every stage"])
        #expect(
            image.handlers[0].stages.map { "\($0.name) \($0.placement)" } == [
                "list model immediate", "strike-through immediate", "row removal immediate",
                "message to the phone deferred", "haptic deferred", "remaining count deferred", "placeholder deferred",
                "complication deferred",
            ])
        #expect(image.handlers[1].stages.allSatisfy { $0.placement == .immediate })
        #expect(image.handlers[2].stages.count == 12)
    }

    @Test func `a handler that it does not have is named beside those it has`() throws {
        let image = try LabImageUnderTest.load()
        #expect(throws: EmulatorError.noHandler("mine", known: ["shipping", "legacy", "every stage"])) {
            try image.place(of: "mine")
        }
    }

    @Test func `what is no image is refused`() {
        #expect(throws: EmulatorError.notELF) { try LabImage([1, 2, 3]) }
    }
}

enum LabImageUnderTest {
    static var path: String? { ProcessInfo.processInfo.environment["LAB_FIRMWARE"] }

    static func bytes() throws -> [UInt8] { try Array(Data(contentsOf: URL(filePath: path ?? ""))) }

    static func load() throws -> LabImage { try LabImage(bytes()) }
}
