import DeviceModel
import Watch
import WatchLink

/// A watch whose machine code is executed, a phone and the radio link between them on one virtual clock.
package typealias MachineBench = ProgramBench<MachineProgram<SharedFlash>>

extension ProgramBench where Program == MachineProgram<SharedFlash> {
    /// A bench with a new watch, not connected yet.
    ///
    /// - Parameters:
    ///   - image: the image of the watch.
    ///   - composition: the handler, and what of it runs.
    ///   - phone: the phone, whose database costs what the profile says from now on.
    ///   - profile: what the board's operations and the radio link take.
    ///   - seed: randomness for the faults of the radio link.
    ///   - flash: the watch's flash chip, erased and without room for files by default.
    ///   - activities: where it is noted what watch, radio link and phone are busy with; nil for nowhere.
    ///   - recording: what is kept of the program's calls.
    /// - Throws: `.systemCall` when there are no descriptors left.
    package convenience init(
        _ image: LabImage, _ composition: LabSettings.Composition, phone: SimulatedPhone,
        profile: DeviceProfile = .memoryLCD, seed: UInt64 = 1,
        flash: MemoryFlash = MemoryFlash(FlashGeometry(sectorCount: 16)), activities: ActivityLog? = nil,
        recording: CallRecording = .none
    ) throws(DeviceModelError) {
        try self.init(
            phone: phone, profile: profile, seed: seed, calendar: WatchBench<ShippingHandler>.defaultCalendar,
            flash: flash, activities: activities
        ) { board, seed in
            MachineProgram(image, composition, on: board, seed: seed, recording: recording)
        }
    }
}
