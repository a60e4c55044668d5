import Watch
import WatchLink

/// The watch's runtime with the memory that it runs in, as a program for `SimulatedWatch` and `VirtualWatch`.
public struct RuntimeProgram<DeviceBoard: HostBoard, Handler: TapHandler>: WatchProgram, ~Copyable {
    /// The board.
    public let surface: DeviceBoard
    private var runtime: WatchRuntime<DeviceBoard, Handler>
    private let memory: UnsafeMutableRawBufferPointer

    /// A runtime on `board`.
    ///
    /// - Parameters:
    ///   - board: the board.
    ///   - handler: what a tap on a row does.
    ///   - seed: randomness for the identity of a watch whose flash holds none.
    public init(on board: DeviceBoard, handler: Handler, seed: UInt64) {
        surface = board
        memory = .allocate(byteCount: WatchRuntime<DeviceBoard, Handler>.memorySize, alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        runtime = WatchRuntime(board: board, handler: handler, memory: memory, seed: seed)
    }

    deinit {
        memory.deallocate()
    }

    /// Reads the journal and draws the first frame.
    public mutating func start() {
        runtime.start()
    }

    /// Does the most urgent thing there is to do.
    public mutating func step() -> NextStep {
        runtime.step()
    }

    /// What the screen says.
    public mutating func describe() -> [UInt8] {
        describe(.all)
    }

    /// What the screen says, with all rows of the list or those on the panel.
    public mutating func describe(_ rows: DescribedRows) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count: Int
        do throws(CBORError) {
            var span = bytes.mutableSpan
            count = try runtime.describe(rows, into: &span)
        } catch {
            preconditionFailure("128 rows of 48 bytes have room in 16 KB")
        }
        return Array(bytes.prefix(count))
    }
}
