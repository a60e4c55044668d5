extension DeviceModelError {
    /// What a picture's encoder returns.
    ///
    /// - Throws: `.encodingFailed` with its message.
    static func encoding(_ body: () throws(PictureError) -> [UInt8]) throws(DeviceModelError) -> [UInt8] {
        do throws(PictureError) { return try body() } catch { throw .encodingFailed(error.description) }
    }
}
