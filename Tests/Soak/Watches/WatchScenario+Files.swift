import PhoneHost
import Wormhole

extension WatchScenario {
    func sendFile(_ length: Int, to watch: Int) {
        let phone = phones[served]
        let known = command(phone) { store throws(PhoneError) in try await store.watches() } ?? []
        guard !known.isEmpty, let program = phone.program else { return }
        let recipient = PeerIdentity(rawValue: known[watch % known.count].identity)
        let file = SentFile(UInt32(files.count + 1), length: length, from: phone.number, to: recipient)
        files.append(file)
        let folder = folder ?? FileFolder("phone")
        self.folder = folder
        file.send(by: program, path: folder.add(file.bytes, as: "\(file.number)"))
        tell("\(phone.name)'s owner sends file \(file.number) of \(file.bytes.count) bytes to watch \(recipient)")
        settle()
    }

    func followFiles() {
        guard let program = phones[served].program else { return }
        for file in files where file.phone == served && !file.isOver { file.follow(by: program) }
    }

    /// Forgets the transfers of the serving phone's program, which has ended.
    func loseFiles() {
        for file in files where file.phone == served { file.phoneEnded() }
    }

    var areFilesDone: Bool {
        let waiting = files.filter { $0.phone == served && !$0.isOver }
        guard !waiting.isEmpty, let connected = phones[served].program?.connected else { return true }
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
