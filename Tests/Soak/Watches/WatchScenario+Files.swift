import PhoneHost
import Wormhole

/// Files that owners have the phone send to watches.
extension WatchScenario {
    /// The owner of the phone that serves sends a file of a length to one of the watches that it knows.
    func sendFile(_ length: Int, to watch: Int) {
        let phone = phones[served]
        let known = command(phone) { store throws(PhoneError) in try await store.watches() } ?? []
        guard !known.isEmpty, let channel = phone.program?.openControl() else { return }
        let recipient = PeerIdentity(rawValue: known[watch % known.count].identity)
        let file = SentFile(UInt32(files.count + 1), length: length, from: phone.number, to: recipient)
        files.append(file)
        let folder = folder ?? FileFolder("phone")
        self.folder = folder
        file.ask(over: channel, path: folder.add(file.bytes, as: "\(file.number)"))
        tell("\(phone.name)'s owner sends file \(file.number) of \(file.bytes.count) bytes to watch \(recipient)")
        settle()
    }

    /// The phone's program runs again: those who have sent files ask what becomes of them.
    func followFiles() {
        guard let program = phones[served].program else { return }
        for file in files where file.phone == served && !file.isOver {
            if let channel = program.openControl() { file.follow(over: channel) }
        }
    }

    /// The phone's program has ended. What one says that was killed in a write is not heard: an error of that write.
    func loseFiles() {
        for file in files where file.phone == served { file.phoneEnded() }
    }

    /// Whether every file has come to its end whose watch is there.
    var areFilesDone: Bool {
        let waiting = files.filter { $0.phone == served && !$0.isOver }
        guard !waiting.isEmpty, let server = phones[served].program?.server else { return true }
        let connected = executor.result { await server.connectedWatches } ?? []
        return !waiting.contains { connected.contains($0.recipient) }
    }

    func judgeFiles() {
        guard violation == nil, !files.isEmpty else { return }
        for file in files { tell("file \(file.number): \(file.state)") }
        guard areFilesDone else { return fail(.fileIsWhole, "a file never arrives") }
        let oracle = FileOracle(
            files: files, seen: wearers.map(\.files), faults: Set(Fault.allCases.filter(simulation.hasHappened)),
            hasForgottenWatch: hasForgottenWatch)
        fail(oracle.judge())
    }
}
