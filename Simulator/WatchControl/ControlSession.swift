import DeviceModel

/// Does what a request says on a watch.
enum ControlSession {
    /// - Returns: the bytes of the answer.
    static func answer(to datagram: [UInt8], on device: any WatchDevice) -> [UInt8] {
        guard let request = ControlRequest(datagram: datagram) else {
            return ControlAnswer(
                outcome: .failed, error: "not a request of this version", watch: WatchReport(device.snapshot)
            ).datagram
        }
        var printed = ""
        var runner = ScriptRunner(device, file: request.name) { printed += $0 }
        var (outcome, complaint) = (ControlAnswer.Outcome.done, String?.none)
        do throws(ScriptError) {
            try runner.run(script: request.script)
        } catch {
            (outcome, complaint) = (.failed, "\(error)")
        }
        var answer = ControlAnswer(
            outcome: outcome, error: complaint, output: printed.isEmpty ? nil : printed,
            watch: WatchReport(device.snapshot))
        // A script may print more than fits: its end is left out, and the answer says so.
        if answer.datagram.count > ControlRequest.largest {
            answer.output = String(printed.prefix(ControlSession.mostPrinted)) + "\n(the rest is left out)\n"
        }
        return answer.datagram
    }

    /// The most characters of an output that is shortened: beside it there is room for every row of the list.
    private static let mostPrinted = 8_192
}
