import DeviceModel
import Foundation
import Glibc
import MPS2Memory
import TestDoubles
import Testing
import Watch
import WatchLink

@testable import FirmwareWatch

/// Machines that do not do what they should.
struct FirmwareFailureTests {
    /// A program whose surface runs something else instead of the emulator.
    private struct Program: WatchProgram {
        let surface: FirmwareSurface

        mutating func start() { surface.start() }
        mutating func step() -> NextStep { surface.step() }
        mutating func describe() -> ScreenDescription { surface.description }
    }

    private func watch(emulator: String) throws -> SimulatedWatch {
        let directory = try TemporaryDirectory()
        let flash = try FirmwareFlash(path: directory.file("flash"))
        let command = QEMUCommand(
            emulator: emulator, image: "image", flash: flash.path,
            settings: BootSettings(pacing: .free, calendar: nil, seed: 1))
        let radio = try InMemoryRadio.pair().watch
        return try SimulatedWatch(
            running: Program(
                surface: FirmwareSurface(command, flash: flash, radio: radio, clock: .real(HostClock()))))
    }

    @Test func `a machine that ends at once is a watch that has failed`() throws {
        let watch = try watch(emulator: "false")
        #expect(watch.snapshot.phase == .failed(reason: "the firmware's machine ended with status 1"))
        guard case .stopped = watch.settle() else { return }
        watch.stop()
        #expect(watch.snapshot.phase == .failed(reason: "the firmware's machine ended with status 1"))
    }

    @Test func `what a machine has printed is part of why`() throws {
        let watch = try watch(emulator: "echo")
        guard case .failed(let reason) = watch.snapshot.phase else {
            Issue.record("it should have failed")
            return
        }
        #expect(reason.hasPrefix("the firmware's machine ended with status 0: -M mps2-an386"))
        #expect(!reason.contains("\n"))
        watch.stop()
    }

    @Test func `a wait ends with the machine`() throws {
        let watch = try watch(emulator: "true")
        guard case .stopped = watch.wait(for: .seconds(60), until: { _ in false }) else {
            Issue.record("the wait should end with the machine")
            return
        }
        watch.stop()
    }

    @Test func `an image that is not there is refused, with what to do`() throws {
        let path = try TemporaryDirectory().file("image")
        #expect(throws: FirmwareError.noImage(path: path)) { try program(of: path) }
        #expect("\(FirmwareError.noImage(path: "a"))" == "no firmware image at a: run Hardware/build")
    }

    @Test(arguments: [[], Array("text, and more of it".utf8), [0x7F, 0x45, 0x4C, 0x46, 1, 1, 1]] as [[UInt8]])
    func `a file that is no program for the board is refused, with what to do`(_ bytes: [UInt8]) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("image")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        #expect(throws: FirmwareError.notAnImage(path: path)) { try program(of: path) }
        #expect(
            "\(FirmwareError.notAnImage(path: "a"))"
                == "a is no firmware image: run Hardware/build, which makes one")
    }

    @Test func `an image that was cut short is refused, with what to do`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("image")
        let whole = image(ofPart: 100)
        for count in 20..<whole.count {
            try Data(whole[..<count]).write(to: URL(fileURLWithPath: path))
            #expect(throws: FirmwareError.truncatedImage(path: path), "\(count) bytes") { try program(of: path) }
        }
        #expect(
            "\(FirmwareError.truncatedImage(path: "a"))"
                == "a ends before the program in it does: run Hardware/build, which makes it anew")
    }

    /// An ELF file for the board with one segment of `count` bytes at its end.
    private func image(ofPart count: UInt8) -> [UInt8] {
        var file = [UInt8](repeating: 0, count: 84 + Int(count))
        file.replaceSubrange(0..<6, with: [0x7F, 0x45, 0x4C, 0x46, 1, 1])
        file[18] = 40
        // Where the table of parts begins, the size of an entry, and the number of entries.
        (file[28], file[42], file[44]) = (52, 32, 1)
        // The part: to be loaded, where it begins, and its size in the file.
        (file[52], file[56], file[68]) = (1, 84, count)
        return file
    }

    @Test func `a directory and a program of this machine are no images`() throws {
        #expect(throws: FirmwareError.notAnImage(path: "/")) { try program(of: "/") }
        #expect(throws: FirmwareError.notAnImage(path: "/proc/self/exe")) { try program(of: "/proc/self/exe") }
    }

    private func program(of image: String) throws {
        let directory = try TemporaryDirectory()
        _ = try FirmwareProgram(
            image: image, flash: FirmwareFlash(path: directory.file("flash")), radio: InMemoryRadio.pair().watch,
            clock: .real(HostClock()), calendar: nil, seed: 1)
    }
}
