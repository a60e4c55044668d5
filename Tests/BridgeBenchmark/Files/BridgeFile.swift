import Foundation
import Wormhole

/// Sends a file over the bridge.
struct BridgeFileSender: Sendable {
    fileprivate static let socket = "file"

    private let other: OtherProcess
    private let phone: Wormhole
    private let watch: PeerIdentity
    private let path: String

    init(_ other: OtherProcess, _ path: String) async throws {
        self.other = other
        self.path = path
        let directory = try SocketDirectory(path: other.directory.path)
        phone = Wormhole(
            .listens(try UnixListener(BridgeFileSender.socket, in: directory)),
            store: try MessageStore(path: other.directory.path + "/sender"),
            configuration: WormholeConfiguration(role: .phone), logger: .silent)
        try await phone.start()
        watch = try await phone.firstPeer()
    }

    /// Returns when the other process has it.
    func send() async throws {
        let transfer = try await phone.send(fileAt: path, as: "file", to: watch)
        guard await transfer.finalFate() == .applied else { throw OtherProcessHasGone() }
    }

    func close() async { await phone.close() }
}

/// Receives files over the bridge.
struct BridgeFileReceiver: Answerer {
    func serve(in directory: String) async throws {
        let path = try SocketDirectory(path: directory).path(of: BridgeFileSender.socket)
        let files = directory + "/files"
        try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: false)
        let watch = Wormhole(
            .connects(UnixConnector(path: path)), store: try MessageStore(path: directory + "/receiver"),
            configuration: WormholeConfiguration(role: .watch), logger: .silent)
        let reception = try watch.receiveFiles(into: files)
        let removing = Task {
            for await file in reception.files { try? FileManager.default.removeItem(atPath: file.path) }
        }
        try await watch.start()
        try await OtherProcess.waitForEnd()
        await watch.close()
        await removing.value
    }
}
