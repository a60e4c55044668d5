import WatchLink

/// Sends files to peers, and receives theirs.
public protocol FilePassing: Sendable {
    /// Sends a file.
    ///
    /// It goes on over any number of links, from what the receiver has, until it has arrived, and never holds up a message: content
    /// goes out where nothing else waits. The file is read as it is sent, so it must stay as it is until the fate is final.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - label: what the receiver calls it.
    ///   - peer: who gets it; a watch sends to `.phone`.
    ///   - metadata: what is said about it, encoded by its `Codable` conformance; nil for nothing.
    /// - Throws: before anything is sent: `.notAFile`; `.fileTooLarge`; `.messageTooLarge` where label and metadata do not fit into a
    ///   frame that the peer takes; `.notTaken` by a peer that takes no files; `.unknownPeer`; `.queueFull`; `.coding`; `.system` where
    ///   the file cannot be read; `.storage`; `.closed`.
    func send<Metadata: Passable>(
        fileAt path: String, as label: FileLabel, to peer: PeerIdentity, metadata: Metadata?
    ) async throws(WormholeError) -> FileTransfer

    /// The files that are on their way, oldest first, also those of an earlier run.
    func filesUnderWay() async throws(WormholeError) -> [FileTransfer]

    /// Receives files into a directory, until the reception is ended. Where nobody does, files are refused.
    ///
    /// A file has its name there once it is whole, and replaces none. What has arrived of others is in hidden files, from which the
    /// next link or run goes on; the directory is on a file system with hard links, as is every usual one of Linux.
    ///
    /// - Parameters:
    ///   - directory: where they are stored.
    ///   - count: the most files that are stored: further ones wait with their senders, for whoever receives next. Nil for any number.
    /// - Throws: `.receivesAlready`; `.system` where the directory cannot be read.
    func receiveFiles(into directory: String, atMost count: Int?) throws(WormholeError) -> FileReception
}

extension FilePassing {
    /// Receives any number of files into a directory.
    public func receiveFiles(into directory: String) throws(WormholeError) -> FileReception {
        try receiveFiles(into: directory, atMost: nil)
    }

    /// Sends a file about which there is nothing to say.
    public func send(
        fileAt path: String, as label: FileLabel, to peer: PeerIdentity
    ) async throws(WormholeError) -> FileTransfer {
        try await send(fileAt: path, as: label, to: peer, metadata: Bool?.none)
    }
}
