import ArgumentParser
import CommandSupport
import DeviceModel

extension WatchCommand {
    func validateScripts() throws {
        if json && checkFlash == nil && options.scripts == nil {
            throw ValidationError("--json needs --check-flash FILE or --scripts DIRECTORY.")
        }
        if options.headless && view != nil { throw ValidationError("--headless has no display: leave out --view.") }
        try options.check(attaches: attach)
        if options.withPhone && speed != .real {
            throw ValidationError("--with-phone runs as fast as it can: leave out --speed.")
        }
    }

    func play(_ script: ScriptFile) throws {
        var failure: OutputError?
        func print(_ text: String) {
            do throws(OutputError) { try StandardOutput.print(text) } catch { failure = failure ?? error }
        }
        let listeners = ScriptListeners(printed: print)
        if options.withPhone {
            try play(script, listeners: listeners)
        } else {
            try withWatch { try script.run(on: $0, phone: nil, listeners: listeners) }
        }
        if let failure { throw failure }
    }

    func play(_ suite: ScriptSuite) throws {
        try suite.run(json: json) { path, listeners in try play(ScriptFile(path: path), listeners: listeners) }
    }

    /// Runs a script on a new watch, with a new phone if the user gave `--with-phone`. The watch, the phone and the
    /// temporary directory of the flash file exist only until the script ends.
    private func play(_ script: ScriptFile, listeners: ScriptListeners) throws {
        let directory = try PrivateDirectory()
        defer { directory.remove() }
        if options.withPhone {
            try withPhoneOfItsOwn(directory) { watch, phone in
                try script.run(on: watch, phone: phone, listeners: listeners)
            }
        } else {
            try withWatch(Surroundings(directory: options.flash == nil ? directory : nil)) { watch in
                try script.run(on: watch, phone: nil, listeners: listeners)
            }
        }
    }
}
