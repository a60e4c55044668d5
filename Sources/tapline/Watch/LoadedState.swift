import DeviceModel
import HostSystem

/// The file of `--load`, from which a watch goes on.
struct LoadedState {
    private let path: String
    private let state: WatchState

    /// Reads a file that `save` has written.
    init(path: String) throws(LoadError) {
        self.path = path
        do throws(WatchStateError) {
            state = try WatchState(contentsOf: path)
        } catch {
            throw LoadError(path: path, reason: "\(error)")
        }
    }

    /// Has a watch that has just been made go on from it, at another speed where one was asked for.
    func load(into watch: SimulatedWatch, at speed: ClockSpeed) throws(LoadError) {
        do throws(RestartError) {
            try watch.loadState(state)
        } catch {
            throw LoadError(path: path, reason: "\(error)")
        }
        if speed != .real { watch.control?.set(speed) }
    }
}

/// A watch cannot go on from a file.
struct LoadError: Error, Equatable, CustomStringConvertible {
    let path: String
    let reason: String

    var description: String { "\(PlainLine(path)): \(reason)" }
}
