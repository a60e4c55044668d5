import BoardSupport
import HostCalls
import Watch
import WatchLink

/// The watch on a board whose devices are calls to the machine that executes the program: the processor's time is what the
/// program executes, and what a device takes is charged by the machine.
///
/// One extension for each part of `Board`, in a file of its own.
struct LabBoard: Board, ~Copyable {
    /// The microseconds that the clock showed last: its register has their low word alone.
    var microseconds: UInt64 = 0
    var panel: PanelTransfer
    let block: FixedArray<UInt32>
    let flashGeometry: FlashGeometry

    /// The board with the memory that its drivers need taken from `arena`.
    init(block: FixedArray<UInt32>, arena: inout MemoryArena) {
        self.block = block
        panel = PanelTransfer(arena: &arena)
        Host.fill(block, .flashGeometry)
        flashGeometry = FlashGeometry(
            pageSize: Int(block[0]), sectorSize: Int(block[1]), sectorCount: Int(block[2]),
            fileSectorCount: Int(block[3]))
    }
}
