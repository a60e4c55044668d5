import WatchLink

/// One operation on the partial file of an incoming transfer. `run` performs it, and may block on the disk.
package struct FileJob: Sendable {
    enum Step: Sendable {
        case open(beside: Set<String>)
        case append([[UInt8]])
        case verify
        /// Remove the file's hidden name, once the store has recorded the file as stored. The value is the file's final path.
        case finish(String)
        case restart
        case close
        case discard
    }

    enum Outcome: Sendable {
        case opened(UInt64)
        case appended(bytes: Int, chunks: Int)
        /// The hash is right. The file has this final path, and still has its hidden name.
        case named(String)
        case stored(String)
        case wrongHash
        case done
    }

    let channel: ChannelNumber
    let number: UInt32
    let part: PartFile
    let reception: FileReceptions.Current
    let step: Step

    func followed(by step: Step) -> FileJob {
        FileJob(channel: channel, number: number, part: part, reception: reception, step: step)
    }

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
        case .verify: return try part.verify()
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
