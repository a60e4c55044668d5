/// A kind of file that a recording becomes.
package protocol RecordingFormat: Sendable {
    /// The end of its names, such as `.gif`.
    var ending: String { get }

    /// A recording as such a file.
    ///
    /// - Parameter scale: how many pixels, across and down, one pixel of the panel makes, where it has pixels: 1 to 16.
    /// - Throws: `.encodingFailed`.
    func file(of recording: PanelRecording, scale: Int) throws(DeviceModelError) -> [UInt8]
}

/// Where a recording is written to, and as what.
package struct RecordingFile: Sendable {
    /// The endings of the names of recordings.
    package static let endings = [".gif", ".cast"]

    package let path: String
    private let format: any RecordingFormat

    /// A file of one of these kinds, by its ending; nil for another one.
    package init?(path: String, formats: [any RecordingFormat]) {
        guard let format = formats.first(where: { path.hasSuffix($0.ending) }) else { return nil }
        self.path = path
        self.format = format
    }

    /// Writes a recording.
    ///
    /// - Throws: `.encodingFailed`, `.systemCall`.
    func write(_ recording: PanelRecording, scale: Int) throws(DeviceModelError) {
        try HostFile.write(try format.file(of: recording, scale: scale), to: path)
    }
}

/// What has become of a recording that was ended.
package enum EndedRecording {
    /// None went on.
    case none
    case written(PanelRecording, path: String)
    case notWritten(DeviceModelError, path: String)
}

/// Animated GIF.
package struct GIFRecording: RecordingFormat {
    package init() {}

    package var ending: String { ".gif" }

    package func file(of recording: PanelRecording, scale: Int) throws(DeviceModelError) -> [UInt8] {
        try DeviceModelError.encoding { () throws(PictureError) in
            try GraphicsInterchangeFormat.file(recording.animation(scale: scale))
        }
    }
}
