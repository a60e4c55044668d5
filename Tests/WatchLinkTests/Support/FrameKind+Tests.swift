import WatchLink

extension FrameKind {
    /// Whether PROTOCOL.md reserves the kind for a delivery that version 2 does not support.
    var isReserved: Bool { rawValue >= 0x14 && rawValue <= 0x15 }
}
