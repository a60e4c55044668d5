import DeviceModel

/// Does what a request says on a watch.
struct ControlSession: Sendable {
    let device: any WatchDevice
    /// The kinds of recordings.
    let formats: [any RecordingFormat]

    /// - Returns: the bytes of the answer.
    func answer(to datagram: [UInt8]) -> [UInt8] {
        guard let request = ControlRequest(datagram: datagram) else {
            return ControlAnswer(
                outcome: .failed, error: "not a request of this version", watch: WatchReport(device)
            ).datagram
        }
        var printed = ""
        // The files that it names begin in the shell's directory, and not in that of the watch.
        let directory = request.directory.hasSuffix("/") ? request.directory : request.directory + "/"
        let file = request.name.hasPrefix("/") ? request.name : directory + request.name
        var runner = ScriptRunner(
            device, file: file, extent: .part, formats: formats
        ) { printed += $0 }
        var (outcome, complaint) = (ControlAnswer.Outcome.done, String?.none)
        do throws(ScriptError) {
            try runner.run(script: request.script)
        } catch {
            let text = "\(error)"
            (outcome, complaint) = (.failed, text.hasPrefix(directory) ? String(text.dropFirst(directory.count)) : text)
        }
        var answer = ControlAnswer(
            outcome: outcome, error: complaint, output: printed.isEmpty ? nil : printed,
            watch: WatchReport(device))
        // A script may print more than fits: its end is left out, and the answer says so.
        if answer.datagram.count > ControlRequest.largest {
            answer.output = String(printed.prefix(ControlSession.mostPrinted)) + "\n(the rest is left out)\n"
        }
        return answer.datagram
    }

    /// The most characters of an output that is shortened: beside it there is room for every row of the list.
    private static let mostPrinted = 8_192
}
