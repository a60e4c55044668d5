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
        case .tap, .doubleTap, .flurry, .turn, .tapAndTurn, .pressCrown, .pressSide, .addPast, .leave, .add, .remove,
            .check,
            .uncheck, .switchList, .importList, .undo, .tapAndUndo, .forget, .retype, .sendFile, .serve, .noise, .cut,
            .deafen,
            .killHost,
            .losePhonePower, .restartHost, .failDisk, .saveDatabase, .restoreDatabase, .setClock:
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
            // Whoever closes a database last has SQLite copy its log into the file, and the next one begins another log.
            phones[served].closeCommands()
            stopHost()
            count(.restart)
            hostStarts = now + .milliseconds(UInt32(milliseconds))
        case .failDisk(let writes, let number, let trouble):
            guard let process = phones[served].run?.process else { return }
            diskTrouble = trouble == .full ? .full : .failing
            process.fate = .failing(trouble == .full ? .full : .failing, after: writes, count: number)
        case .saveDatabase(let number):
            copyDatabase(of: phone(number))
        case .restoreDatabase(let number, _):
            let phone = phone(number)
            guard let copy = phone.copy else { return }
            let before = contents(of: phone)
            withoutPrograms(of: phone) {
                disk.restore(copy.image, in: phone.directory)
                switch parts.randomness {
                case .new: break
                case .ofTheCopy: phone.wallClock.random = copy.random
                }
            }
            let after = contents(of: phone)
            oracle.rolledBack(
                phone.number, before: before?.history ?? [], after: after?.history ?? [], known: after?.titles ?? [])
            count(.databaseRollback)
            tell("\(phone.name)'s database is put back to the copy")
        case .setClock(let number, let seconds):
            phone(number).wallClock.shift(by: seconds)
            count(.clockJump)
            tell("\(phone(number).name)'s clock is set by \(seconds) s")
        case .tap, .doubleTap, .flurry, .turn, .tapAndTurn, .pressCrown, .pressSide, .addPast, .leave, .add, .remove,
            .check,
            .uncheck, .switchList, .importList, .undo, .tapAndUndo, .forget, .retype, .sendFile, .serve, .noise, .cut,
            .deafen,
            .losePower,
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

    /// A copy of a phone's database is put away, while no program has it open.
    private func copyDatabase(of phone: Phone) {
        withoutPrograms(of: phone) {
            phone.copy = SavedDatabase(image: disk.image(of: phone.directory), random: phone.wallClock.random)
        }
        tell("a copy of \(phone.name)'s database is put away")
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

    func contents(of phone: Phone) -> DatabaseContents? {
        command(phone) { store throws(PhoneError) in try await DatabaseContents(store) }
    }

    func histories() -> [[HistoryEntry]] { phones.map { history(of: $0) } }
}
