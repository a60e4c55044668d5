import HostSystem

/// Frames with content that wait to be written, in order: as many as the machine of their transfer lets in.
final class ArrivedChunks: Sendable {
    private enum State {
        case open([[UInt8]])
        /// These are the last.
        case finished([[UInt8]])

        var frames: [[UInt8]] {
            switch self {
            case .open(let frames), .finished(let frames): frames
            }
        }
    }

    private let state = WaitableState(State.open([]))

    func put(_ new: [[UInt8]]) {
        state.change { state in
            guard case .open(let frames) = state else { return }
            state = .open(frames + new)
        }
    }

    /// Nothing more arrives.
    func finish() { state.change { $0 = .finished($0.frames) } }

    /// Waits for the next frames, and takes all that are here; none once the last are taken.
    func take() async -> [[UInt8]] {
        let frames: [[UInt8]]? = await state.wait { state in
            let frames = state.frames
            switch state {
            case .open where frames.isEmpty: return nil
            case .open: state = .open([])
            case .finished: state = .finished([])
            }
            return frames
        }
        return frames ?? []
    }
}
