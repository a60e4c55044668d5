import WatchLink

/// A step of work on a received file. It may block on the disk.
package struct FileJob: Sendable {
    enum Step: Sendable {
        /// Opens the partial file that an earlier link may have left. The names are those of all partial files in use.
        case open(beside: Set<String>)
        /// Appends the bytes after the header of each frame.
        case append([[UInt8]])
        case judge
        /// Removes the partial file's hidden name. The store already has the file's final path, which is the value here.
        case finish(String)
        case restart
        case close
        case discard
    }

    enum Outcome: Sendable {
        /// An earlier link has left this many bytes.
        case opened(UInt64)
        case appended(bytes: Int, chunks: Int)
        /// The file has this path as its final name, and still has its hidden name.
        case named(String)
        /// The file is stored at this path.
        case stored(String)
        case wrongHash
        case done
    }

    let channel: ChannelNumber
    /// The number of the transfer on the link.
    let number: UInt32
    let part: PartFile
    let reception: FileReceptions.Current
    let step: Step

    func followed(by step: Step) -> FileJob {
        FileJob(channel: channel, number: number, part: part, reception: reception, step: step)
    }

    /// Runs the job on the caller's thread.
    package func run() -> FileJobResult {
        FileJobResult(
            job: self, outcome: Result { () throws(WormholeError) in try outcome() })
    }

    private func outcome() throws(WormholeError) -> Outcome {
        switch step {
        case .open(let names): return .opened(try part.open(beside: names))
        case .append(let frames):
            try part.append(frames, after: FileHeader.longestSize)
            let bytes = frames.reduce(0) { $0 + $1.count - FileHeader.longestSize }
            return .appended(bytes: bytes, chunks: frames.count)
        case .judge: return try part.judge()
        case .finish(let path):
            part.discard()
            return .stored(path)
        case .restart: try part.restart()
        case .close: part.close()
        case .discard: part.discard()
        }
        return .done
    }
}

package struct FileJobResult: Sendable {
    let job: FileJob
    let outcome: Result<FileJob.Outcome, WormholeError>
}
