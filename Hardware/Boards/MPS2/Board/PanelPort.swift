import Watch

/// The display at the end of a serial port: 20 bytes a line, as much as the memory LCD takes over SPI.
struct PanelPort {
    /// Bytes sent since the start.
    private(set) var sentBytes: UInt32 = 0

    /// What a line begins with.
    private static var lineMark: UInt8 { 0xA5 }

    /// Sends a line: the mark, its number, its pixels.
    mutating func write(_ line: Int, _ pixels: Span<UInt8>) {
        UART.panel.send(PanelPort.lineMark)
        UART.panel.send(UInt8(truncatingIfNeeded: line))
        for index in pixels.indices { UART.panel.send(pixels[index]) }
        sentBytes &+= UInt32(truncatingIfNeeded: 2 + pixels.count)
    }
}
