import Foundation

@testable import MachineWatch

/// The image under test, which `LAB_FIRMWARE` names.
enum LabImageUnderTest {
    static var path: String? { ProcessInfo.processInfo.environment["LAB_FIRMWARE"] }

    static func bytes() throws -> [UInt8] { try Array(Data(contentsOf: URL(filePath: path ?? ""))) }

    static func load() throws -> LabImage { try LabImage(bytes()) }
}
