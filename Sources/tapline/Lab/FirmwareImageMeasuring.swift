import DeviceModel
import FirmwareWatch
import TapLatency

/// Counts what the stages execute on an image, for the lab.
struct FirmwareImageMeasuring: FirmwareMeasuring {
    /// The ELF file.
    let image: String

    /// Runs the image in its emulator and taps.
    func instructionsOfStages(with phone: SimulatedPhone, taps: Int) throws -> [String: Double] {
        try FirmwareStages.measure(image: image, phone: phone, taps: taps).instructions
    }
}
