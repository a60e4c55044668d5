import DeviceModel
import FirmwareWatch
import Glibc
import Watch
import WatchLink

extension WatchCommand {
    /// The firmware in an emulator, with this command's flash and a radio.
    func makeFirmwareWatch(radio: sending any RadioPort) throws -> SimulatedWatch {
        var generator = SystemRandomNumberGenerator()
        let program = try FirmwareProgram(
            image: image ?? FirmwareImage.usualPath,
            flash: try FirmwareFlash(path: try flashPath(usual: Places.usual.firmwareFlash)),
            radio: radio, clock: .real(HostClock()),
            calendar: BoardCalendar.machine.time(at: .start), seed: generator.next())
        return try SimulatedWatch(running: program)
    }
}
