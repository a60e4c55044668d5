import DeviceModel
import PhoneHost
import Watch
import WatchLink

/// What goes wrong with watches and phones.
extension World {
    func breakWatch(_ what: Happening) {
        switch what {
        case .losePower(let watch, let operations, let milliseconds):
            cutPower(of: wrist(watch), after: operations, milliseconds)
        case .losePowerTwice(let watch, let operations, let again, let milliseconds):
            let wrist = wrist(watch)
            wrist.secondCut = again
            cutPower(of: wrist, after: operations, milliseconds)
        case .failFlash(let watch, let operations, let error):
            let wrist = wrist(watch)
            let code: FlashError = error == .verifyFailed ? .verifyFailed : .notResponding
            wrist.flash.failOnce(code, after: operations, seed: random.next())
        case .wearOutFlash(let watch):
            wrist(watch).flash.wearOut()
            wrist(watch).wornRuns += 1
            count(.wornFlash)
            tell("\(wrist(watch).name)'s flash is worn out")
        case .setWatchClock(let watch, let seconds):
            let wrist = wrist(watch)
            wrist.clockShift += seconds
            wrist.run?.setCalendar(LocalTime(seconds: time(on: wrist)))
            count(.watchClockJump)
            tell("the clock of \(wrist.name)'s watch is set by \(seconds) s")
        case .rotFlash(let watch): rot(wrist(watch))
        case .saveFlash(let watch):
            let wrist = wrist(watch)
            wrist.saved = (wrist.flash.image, oracle.moment(of: wrist.number))
            tell("a copy of \(wrist.name)'s flash is put away")
        case .restoreFlash(let watch):
            let wrist = wrist(watch)
            guard let saved = wrist.saved else { return }
            replaceFlash(of: wrist, with: saved.image)
            oracle.putBack(wrist.number, to: saved.moment, history: histories())
            count(.flashRollback)
            tell("\(wrist.name)'s flash is put back to the copy")
        case .cloneFlash(let watch, let other):
            let (from, to) = (wrist(watch), wrist(other))
            guard from !== to else { return }
            replaceFlash(of: to, with: from.flash.image)
            oracle.replaced(to.number, by: from.number, history: histories())
            count(.clone)
            tell("\(from.name)'s flash is copied to \(to.name)'s watch")
        case .tap, .doubleTap, .flurry, .turn, .tapAndTurn, .pressCrown, .pressSide, .leave, .add, .remove, .check,
            .uncheck, .switchList, .importList, .undo, .tapAndUndo, .forget, .serve, .noise, .cut, .deafen, .killHost,
            .losePhonePower, .restartHost, .failDisk, .saveDatabase, .restoreDatabase, .restoreFile, .setClock:
            break
        }
    }

    private func cutPower(of wrist: Wrist, after operations: Int?, _ milliseconds: Int) {
        guard wrist.run != nil else { return }
        wrist.outage = .milliseconds(UInt32(milliseconds))
        if let operations {
            wrist.flash.failPower(after: operations, seed: random.next())
        } else {
            wrist.flash.cutPower()
            goDark(wrist)
        }
    }

    private func replaceFlash(of wrist: Wrist, with image: [UInt8]) {
        restart(wrist)
        wrist.flash.image = image
    }

    private func rot(_ wrist: Wrist) {
        oracle.damaged(wrist.number, history: histories())
        guard wrist.flash.decay(&random) else { return }
        count(.bitRot)
        tell("a bit of \(wrist.name)'s flash flips")
    }

    func breakPhone(_ what: Happening) {
        switch what {
        case .killHost(let writes, let milliseconds): killHost(.program, after: writes, milliseconds)
        case .losePhonePower(let writes, let milliseconds): killHost(.power, after: writes, milliseconds)
        case .restartHost(let milliseconds):
            guard phones[served].run != nil else { return }
            stopHost()
            count(.restart)
            hostStarts = now + .milliseconds(UInt32(milliseconds))
        case .failDisk(let writes, let number, let trouble):
            guard let process = phones[served].run?.process else { return }
            diskTrouble = trouble == .full ? .full : .failing
            process.fate = .failing(trouble == .full ? .full : .failing, after: writes, count: number)
        case .saveDatabase(let number):
            let phone = phone(number)
            withoutPrograms(of: phone) { phone.saved = disk.image(of: phone.directory) }
            tell("a copy of \(phone.name)'s database is put away")
        case .restoreDatabase(let number, _):
            let phone = phone(number)
            guard let saved = phone.saved else { return }
            let before = history(of: phone)
            withoutPrograms(of: phone) { disk.restore(saved, in: phone.directory) }
            oracle.rolledBack(phone.number, before: before, after: history(of: phone), known: titles(of: phone))
            count(.databaseRollback)
            tell("\(phone.name)'s database is put back to the copy")
        case .restoreFile(let number, let milliseconds): restoreFile(of: phone(number), milliseconds)
        case .setClock(let number, let seconds):
            phone(number).wallClock.shift(by: seconds)
            count(.clockJump)
            tell("\(phone(number).name)'s clock is set by \(seconds) s")
        case .tap, .doubleTap, .flurry, .turn, .tapAndTurn, .pressCrown, .pressSide, .leave, .add, .remove, .check,
            .uncheck, .switchList, .importList, .undo, .tapAndUndo, .forget, .serve, .noise, .cut, .deafen, .losePower,
            .losePowerTwice, .failFlash, .wearOutFlash, .setWatchClock, .rotFlash, .saveFlash, .restoreFlash,
            .cloneFlash:
            break
        }
    }

    private func killHost(_ loss: Outage.Loss, after writes: Int?, _ milliseconds: Int) {
        guard let run = phones[served].run else { return }
        outage = Outage(loss: loss, milliseconds: milliseconds)
        if let writes {
            run.process.fate = .killed(after: writes)
        } else {
            run.process.kill()
            settle()
        }
    }

    /// Somebody kills a phone's program and puts the copy of the database's file in its place, and nothing else: what SQLite has
    /// kept beside the file stays. They take that away where a program refuses it.
    private func restoreFile(of phone: Phone, _ milliseconds: Int) {
        guard let saved = phone.saved?[phone.path] else { return }
        let before = history(of: phone)
        phone.killCommands()
        if phone.run != nil { killHost(.program, after: nil, milliseconds) }
        disk.restore(saved, at: phone.path)
        count(.fileRollback)
        tell("\(phone.name)'s database file is put back to the copy, beside the log that was there")
        do throws(PhoneError) {
            try phone.open(on: disk)
        } catch .foreignLog {
            disk.remove(phone.path + "-wal")
            tell("the log is taken away")
        } catch {
            tell("\(phone.name)'s database does not open: \(error)")
        }
        oracle.rolledBack(phone.number, before: before, after: history(of: phone), known: titles(of: phone))
    }

    func withoutPrograms(of phone: Phone, _ body: () -> Void) {
        let isServed = phone.run != nil
        if isServed { stopHost() }
        phone.closeCommands()
        body()
        if isServed { startHost() }
    }

    func history(of phone: Phone) -> [HistoryEntry] {
        command(phone) { store throws(PhoneError) in try await store.history() } ?? []
    }

    /// The titles on all lists of a phone.
    private func titles(of phone: Phone) -> Set<String> {
        let titles = command(phone) { store throws(PhoneError) in
            var titles: [String] = []
            for list in try await store.lists() { titles += try await store.contents(of: list.name).items.map(\.title) }
            return titles
        }
        return Set(titles ?? [])
    }

    func histories() -> [[HistoryEntry]] { phones.map { history(of: $0) } }
}
