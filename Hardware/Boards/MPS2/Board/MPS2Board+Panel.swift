import Watch

extension MPS2Board: Panel {
    @inline(never)
    mutating func writeLine(_ line: Int, pixels: Span<UInt8>) {
        panel.write(line, pixels)
    }
}
