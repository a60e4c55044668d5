import CalDAV
import PhoneHost
import TestDoubles
import WatchLink

extension CalendarScenario {
    func sync(_ phone: SharingPhone, missing policy: MissingPolicy = .ask) {
        guard let program = phone.program, program.process.isRunning, program.sync == nil else { return }
        let call = SyncProgram.SyncCall()
        phone.sending = phone.unsent
        phone.meeting.merge(phone.unseenOlder) { $0.union($1) }
        phone.unseenOlder = [:]
        program.sync = call
        let sync = AccountSync(program.store, program.account, over: program.transport, password: nil)
        executor.begin {
            do throws(PhoneError) { call.end(.success(try await sync.run(missing: policy))) } catch {
                call.end(.failure(error))
            }
        }
        settle()
    }

    /// Sends a phone's next HTTP request, lets it arrive, or delivers its answer, when these are due. Returns whether a
    /// request was sent or an answer delivered.
    func travel(_ phone: SharingPhone, _ program: SyncProgram) -> Bool {
        guard var flight = program.flight else { return launch(phone, program) }
        if flight.answer == nil, flight.arrives <= now {
            flight.answer = arrive(flight.waiting.request, of: phone)
            program.flight = flight
        }
        guard let answer = flight.answer, flight.returns <= now else { return false }
        program.flight = nil
        guard isConnected(phone) else {
            flight.waiting.continuation.resume(returning: .failure(.silent))
            return true
        }
        let request = flight.waiting.request
        if request.method == .put, case .success(let response) = answer, response.status < 300 {
            program.answered.append(request.address.path)
        }
        flight.waiting.continuation.resume(returning: answer)
        return true
    }

    private func launch(_ phone: SharingPhone, _ program: SyncProgram) -> Bool {
        guard let waiting = program.transport.take() else { return false }
        switch parts.request(waiting.request) {
        case .answered(let response): waiting.continuation.resume(returning: .success(response))
        case .sent(let request):
            guard isConnected(phone) else {
                waiting.continuation.resume(returning: .failure(.unreachable(reason: "no connection")))
                return true
            }
            program.flight = RequestFlight(
                waiting: SimulatedHTTPTransport.Waiting(request: request, continuation: waiting.continuation),
                arrives: now + delay, returns: now + delay + delay)
        }
        return true
    }

    private func isConnected(_ phone: SharingPhone) -> Bool {
        guard let end = phone.awayUntil else { return true }
        guard end <= now else { return false }
        phone.awayUntil = nil
        return true
    }

    private func arrive(_ request: HTTPRequest, of phone: SharingPhone) -> SimulatedHTTPTransport.Answer {
        guard isConnected(phone) else { return .failure(.silent) }
        let place = troubles.firstIndex { $0.method == nil || $0.method == request.method }
        let trouble = place.map { troubles.remove(at: $0) }
        if let trouble {
            server.fail(trouble.fault)
            count(trouble.fault.kind)
        }
        if request.method == .delete { excuseRemoval(at: request.address.path) }
        let answer = server.answer(request)
        if request.method.changesServer { noteVersions() }
        tell(
            "\(phone.name): \(request.method.rawValue) \(request.address.path)\(trouble.map { ", \($0.fault)" } ?? "")"
                + " -> \(CalendarScenario.words(answer))")
        switch answer {
        case .success(let response): return .success(parts.answer(request, response))
        case .failure: return answer
        }
    }

    private static func words(_ answer: SimulatedHTTPTransport.Answer) -> String {
        switch answer {
        case .success(let response): "\(response.status)"
        case .failure(let error): "\(error)"
        }
    }

    /// Allows an item that is about to be removed to come back. A phone sends its item again if it does not know that
    /// the item has arrived.
    func excuseRemoval(at path: String) {
        guard !acknowledged.contains(path), !path.contains("/other-"), let todo = versions[path]?.last,
            let number = expected.number(of: todo.title)
        else { return }
        expected.excuse(number, .back)
    }

    func noteVersions() {
        for (path, item) in server.items where versions[path]?.last?.text != item.text {
            let todo = ForeignTodo(item.text)
            versions[path, default: []].append(todo)
            noteEdit(at: path, todo)
        }
    }

    func note(
        _ result: Result<AccountSync.Report, PhoneError>, of phone: SharingPhone, _ program: SyncProgram
    ) {
        defer { program.answered = [] }
        switch result {
        case .success(let report):
            program.last = report
            acknowledged.formUnion(program.answered)
            if let list = report.lists.first, list.round.end == .complete, list.round.refused.isEmpty {
                phone.unsent.states.subtract(phone.sending.states)
                phone.unsent.edits.subtract(phone.sending.edits)
                phone.doubtful = []
                phone.meeting = [:]
            }
            guard let round = report.lists.first?.round else {
                tell("\(phone.name) has synced nothing: \(report.errors)")
                break
            }
            for (kind, count) in [
                ("received", round.received), ("sent", round.sent), ("removed here", round.removed),
                ("deleted there", round.deleted), ("put back", round.restored),
            ] where count > 0 {
                simulation.achieved(kind, count)
            }
            tell(
                "\(phone.name) has synced: received \(round.received), sent \(round.sent), removed \(round.removed),"
                    + " deleted \(round.deleted), put back \(round.restored), missing \(round.missing),"
                    + " waiting \(report.lists.first?.waiting ?? 0), \(round.end)")
        case .failure(let error):
            program.last = nil
            tell("\(phone.name) cannot sync: \(error)")
        }
        look(phone)
    }
}

extension InMemoryCalendarServer.Fault {
    fileprivate var kind: Fault {
        switch self {
        case .lostAnswer: .answerLost
        case .silent: .requestLost
        case .halfAnswer: .answerCut
        case .page, .redirect: .answerPage
        case .noETag: .answerWithoutETag
        case .status(401), .status(403): .accountRefused
        case .status(412): .versionRefused
        case .status: .serverBusy
        }
    }
}
