extension ScriptRunner {
    /// Restarts the watch once it has handled what was done before; it has started again when this returns.
    mutating func restart(_ request: RestartRequest) throws(ScriptError) {
        _ = try settled()
        do throws(RestartError) {
            try device.restart(request)
        } catch {
            throw self.error(.notRestarted(request == .reset ? "reset" : "restart", reason: "\(error)"))
        }
    }

    /// Writes everything of the watch into a file.
    mutating func save(to file: String) throws(ScriptError) {
        _ = try settled()
        let state: WatchState
        do throws(RestartError) {
            state = try device.saveState()
        } catch {
            throw self.error(.notRestarted("save", reason: "\(error)"))
        }
        let path = place.path(of: file)
        do throws(DeviceModelError) {
            try HostFile.replace(path, with: state.json)
        } catch {
            throw self.error(.cannotWrite(file: path, reason: error.reason))
        }
    }

    /// Has the watch go on from a file. One that is no state of such a watch changes nothing.
    mutating func load(_ file: String) throws(ScriptError) {
        _ = try settled()
        let path = place.path(of: file)
        let state: WatchState
        do throws(WatchStateError) {
            state = try WatchState(contentsOf: path)
        } catch {
            throw self.error(.cannotLoad(file: path, reason: "\(error)"))
        }
        do throws(RestartError) {
            try device.loadState(state)
        } catch {
            throw self.error(.cannotLoad(file: path, reason: "\(error)"))
        }
    }

    /// Changes what the gauge of the battery says.
    func make(_ change: BatteryChange) throws(ScriptError) {
        guard let battery = device.battery else { throw error(.notForThisWatch("battery")) }
        battery.make(change)
    }
}
