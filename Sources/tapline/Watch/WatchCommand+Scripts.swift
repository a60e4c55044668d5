import ArgumentParser
import CommandSupport
import DeviceModel

extension WatchCommand {
    /// Refuses options for scripts that do not fit together.
    func validateScripts() throws {
        if json && checkFlash == nil && scripts == nil {
            throw ValidationError("--json needs --check-flash FILE or --scripts DIRECTORY.")
        }
        if headless && (plain || braille || view != nil) {
            throw ValidationError("--headless has no display: leave out --plain, --braille and --view.")
        }
        if headless && script == nil && scripts == nil {
            throw ValidationError("--headless needs --script FILE or --scripts DIRECTORY.")
        }
        if script != nil && scripts != nil { throw ValidationError("Use either --script or --scripts, not both.") }
        if !headless && !attach && script != nil { throw ValidationError("--script needs --headless.") }
        if !headless && scripts != nil { throw ValidationError("--scripts needs --headless.") }
        if !headless && withPhone { throw ValidationError("--with-phone needs --headless.") }
        if junit != nil && scripts == nil { throw ValidationError("--junit needs --scripts DIRECTORY.") }
        if scripts != nil && flash != nil {
            throw ValidationError("--scripts plays each script on a new watch: leave out --flash.")
        }
        if withPhone && (link != nil || sockets != nil) {
            throw ValidationError("--with-phone brings its own phone: leave out --link and --sockets.")
        }
    }

    /// Plays a script on a watch that is there for it.
    func play(_ script: ScriptFile) throws {
        if withPhone {
            try withSurroundings { surroundings in
                try withWatch(surroundings) { watch in try script.run(on: watch, phone: surroundings.phone) }
            }
        } else {
            try withWatch { try script.run(on: $0, phone: nil) }
        }
    }

    /// Plays the scripts of a directory, and says what came of each.
    func play(_ suite: ScriptSuite) throws {
        let report = try suite.run { script in
            if !json { try StandardOutput.print(script.text) }
        } play: { script, output in
            try withSurroundings { surroundings in
                try withWatch(surroundings) { watch in
                    var runner = ScriptRunner(
                        watch, file: script.path, phone: surroundings.phone, formats: ScriptFile.formats, output: output
                    )
                    try runner.run(script: script.text)
                }
            }
        }
        if json { try StandardOutput.printJSON(report) } else { try StandardOutput.print(report.sum) }
        if report.failed > 0 { throw ExitCode.failure }
    }

    /// Runs something with a directory of its own, and a phone where one is asked for. Both are gone afterwards.
    private func withSurroundings(_ body: (Surroundings) throws -> Void) throws {
        let directory = try PrivateDirectory()
        defer { directory.remove() }
        let phone = withPhone ? try OwnPhone(in: directory) : nil
        defer { phone?.end() }
        try body(Surroundings(directory: flash == nil ? directory : nil, phone: phone))
    }
}
