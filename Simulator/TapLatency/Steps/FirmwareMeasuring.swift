/// Whoever can measure the firmware image: it executes the handler of the image and counts.
public protocol FirmwareMeasuring {
    /// The instructions of every stage of the shipping handler, the mean of so many taps on a list of so many items.
    ///
    /// - Throws: whatever keeps the image from being run.
    func instructionsOfStages(items: Int, taps: Int, seed: UInt64) throws -> [String: Double]
}
