import DeviceModel

/// Whoever can measure the firmware image: it executes the handler of the image and counts.
package protocol FirmwareMeasuring {
    /// The instructions of every stage of the shipping handler by its name: the mean of so many taps on the list of a phone.
    ///
    /// - Throws: whatever keeps the image from being run.
    func instructionsOfStages(with phone: SimulatedPhone, taps: Int) throws -> [String: Double]
}
