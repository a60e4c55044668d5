import CommandSupport
import DeviceModel
import HostSystem
import MachineWatch

/// A file with an image for the lab.
struct LabImageFile {
    let path: String

    /// The image, on the processor of a device.
    ///
    /// - Throws: why it cannot be executed, in one line that names the file.
    func image(on device: DeviceProfile) throws -> LabImage {
        do {
            return try LabImage(HostFile.read(path), on: device)
        } catch let error as DeviceModelError {
            throw HandlerFailure("cannot execute \(path): \(error.reason)")
        } catch let error as LabImageError {
            throw HandlerFailure("cannot execute \(path): \(error.description)")
        }
    }
}
