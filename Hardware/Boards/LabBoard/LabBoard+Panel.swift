import BoardSupport
import HostCalls
import Watch

extension LabBoard: Panel {
    func beginLines() {
        Host.call(.beginLines)
    }

    @inline(never)
    mutating func writeLine(_ line: Int, pixels: Span<UInt8>) {
        let frame = panel.frame(line, pixels)
        Host.call(.writeLine, UInt32(truncatingIfNeeded: line), Host.word(panel.address(of: frame)))
    }

    func finishLines() {
        Host.call(.finishLines)
    }
}
