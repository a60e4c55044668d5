/// What the parts of a watch did during some taps, for a viewer of traces.
public struct TapTrace: Sendable, Codable, Equatable {
    /// A part of the device, or of what it talks to.
    public enum Track: String, Sendable, CaseIterable, Codable {
        /// The stages, on the processor.
        case processor
        /// Lines on their way to the panel.
        case panel
        /// Programs and erases of the flash chip.
        case flash
        /// Packets in the air.
        case radio
        /// Datagrams that wait for the next connection event.
        case window
        /// The haptic driver.
        case haptic
        /// The phone at work.
        case phone
        /// From the touch to each mark of the tap.
        case tap
    }

    /// Something that took time on a track. On `.tap` all spans of a tap begin at the touch; on the other tracks spans
    /// may lie within each other and do not overlap otherwise.
    public struct Span: Sendable, Codable, Equatable {
        /// What was done.
        public var name: String
        /// Which part did it.
        public var track: Track
        /// When it began, in microseconds since the watch started.
        public var begin: UInt64
        /// What it took, in microseconds.
        public var length: UInt64
        /// The number of the tap that it belongs to, counted from 1; nil for none.
        public var tap: UInt32?
    }

    /// The handler's name.
    public var handler: String
    /// The profile's name.
    public var profile: String
    /// The spans by their beginning; of spans that begin together the longest comes first.
    public var spans: [Span]
}
