import Foundation
import TestSupport
import Testing

@testable import Wormhole

@Suite struct FileClaimTests {
    private let directory = TemporaryDirectory()
    private var path: String { directory.file("file") }

    private func isFree(_ path: String) throws -> Bool {
        let attempt = try SpawnedProgram(["/usr/bin/flock", "--nonblock", path, "/bin/true"])
        return attempt.awaitEnd() == .exited(0)
    }

    @Test func `Neither a symbolic nor a hard link, nor a new name, is another file`() throws {
        let claim = try FileClaim(fileAt: path)
        let (link, name) = (directory.file("link"), directory.file("name"))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        try FileManager.default.linkItem(atPath: path, toPath: name)
        for other in [path, link, name] {
            #expect(throws: WormholeError.alreadyServed(path: other, process: getpid())) {
                try FileClaim(fileAt: other)
            }
            #expect(try !isFree(other))
        }
        let moved = directory.file("moved")
        try FileManager.default.moveItem(atPath: path, toPath: moved)
        #expect(try !isFree(moved))
        withExtendedLifetime(claim) {}
    }

    @Test func `It is free again afterwards, and what another process claims is not`() throws {
        for _ in 0..<3 {
            var claim: FileClaim? = try FileClaim(fileAt: path)
            #expect(claim != nil)
            claim = nil
            #expect(try isFree(path))
        }
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        #expect(flock(descriptor, LOCK_EX) == 0)
        #expect(throws: WormholeError.alreadyServed(path: path, process: nil)) { try FileClaim(fileAt: path) }
        // Closing alone would not release the lock while a process that another test starts has a copy of the descriptor.
        #expect(flock(descriptor, LOCK_UN) == 0)
        close(descriptor)
        _ = try FileClaim(fileAt: path)
    }

    @Test func `A missing file is created for this user alone, and a removed one is another file`() throws {
        let first = try FileClaim(fileAt: path)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        try FileManager.default.removeItem(atPath: path)
        let second = try FileClaim(fileAt: path)
        withExtendedLifetime((first, second)) {}
    }
}
