import DeviceModel
import Glibc
import HostSystem
import Synchronization
import Wormhole

/// Lets other programs of this user drive a running watch, over a socket of its process.
package final class WatchControlServer: Sendable {
    /// The most programs that do so at once; further ones wait.
    static let mostClients = 8

    private let listener: UnixListener
    private let directory: ControlDirectory
    private let serving: Mutex<Task<Void, Never>?>

    /// Serves `device` in a directory of sockets until `end`.
    ///
    /// - Parameters:
    ///   - path: the directory.
    ///   - formats: the kinds of recordings.
    /// - Throws: `.sockets`, as where the directory is not this user's alone.
    package init(
        _ device: any WatchDevice, in path: String, formats: [any RecordingFormat] = [GIFRecording()]
    ) throws(WatchControlError) {
        let directory = try ControlDirectory(path: path)
        directory.removeLeftovers()
        self.directory = directory
        do throws(WormholeError) {
            listener = try UnixListener(
                ControlDirectory.name(of: getpid()), in: directory.sockets, largestDatagram: ControlRequest.largest)
        } catch {
            throw .sockets(error)
        }
        serving = Mutex(nil)
        let listener = listener
        let session = ControlSession(device: device, formats: formats)
        let task = Task { await WatchControlServer.serve(session, listener) }
        serving.withLock { $0 = task }
    }

    /// The files that are there until `end`: the socket and its lock.
    package var files: [String] {
        let path = directory.path(of: getpid())
        return [path, ControlDirectory.lock(ofSocketAt: path)]
    }

    /// Ends the connections, and removes the socket.
    package func end() async {
        listener.close()
        let task = serving.withLock { $0.take() }
        task?.cancel()
        await task?.value
        directory.removeLock(of: getpid())
    }

    private static func serve(_ session: ControlSession, _ listener: UnixListener) async {
        await withDiscardingTaskGroup { group in
            let places = WaitableState(0)
            while !Task.isCancelled {
                do throws(WormholeError) {
                    let client = try await listener.accept()
                    await places.waitEvenIfCancelled { $0 < mostClients }
                    places.change { $0 += 1 }
                    group.addTask {
                        await answer(client, session)
                        client.close()
                        places.change { $0 -= 1 }
                    }
                } catch {
                    // Of another user, or gone already: the next one is awaited.
                    if error == .closed { return }
                    guard case .system = error else { continue }
                    return
                }
            }
        }
    }

    /// Does what one client asks, one request after the other.
    private static func answer(_ client: any DatagramTransport, _ session: ControlSession) async {
        await withTaskCancellationHandler {
            do throws(WormholeError) {
                while true {
                    let datagram = try await client.receive()
                    // A script waits for the watch: on a thread of its own, so that nobody else's task waits with it.
                    let answer = try? await SystemThread.result { session.answer(to: datagram) }
                    guard let answer else { return }
                    try await client.send(answer)
                }
            } catch {
                return
            }
        } onCancel: {
            client.close()
        }
    }
}
