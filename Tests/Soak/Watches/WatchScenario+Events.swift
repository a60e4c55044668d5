import DeviceModel
import PhoneHost
import Watch
import WatchLink

extension WatchScenario {
    func happen(_ event: WatchEvent) {
        switch event {
        case .tap(let watch, let row): tap(wearer(watch), row: row)
        case .doubleTap(let watch, let row):
            tap(wearer(watch), row: row)
            run(for: .milliseconds(120))
            tap(wearer(watch), row: row)
        case .flurry(let watch, let row, let count, let pause):
            for _ in 0..<count {
                tap(wearer(watch), row: row)
                run(for: Microseconds(milliseconds: pause))
            }
        case .turn(let watch, let detents): give(.crown(detents: detents), to: wearer(watch))
        case .tapAndTurn(let watch, let row, let detents, let pause):
            tap(wearer(watch), row: row)
            run(for: Microseconds(milliseconds: pause))
            give(.crown(detents: detents), to: wearer(watch))
        case .pressCrown(let watch): press(.crown, on: wearer(watch))
        case .pressSide(let watch): press(.side, on: wearer(watch))
        case .addPast(let watch, let row, let count): addPast(on: wearer(watch), row: row, count: count)
        case .leave(let watch, let milliseconds): leave(wearer(watch), milliseconds)
        case .add(let number, let count): addItems(count, to: phone(number))
        case .importList(let number, let count): importItems(count, to: phone(number))
        case .remove(let number, let item):
            edit(phone(number), item: item, "removes", { .remove(at: $0) }) { _ in true }
        case .check(let number, let item):
            edit(phone(number), item: item, "checks off", { .check(at: $0) }) { $0.state.isOpen }
        case .uncheck(let number, let item):
            edit(phone(number), item: item, "puts back", { .uncheck(at: $0) }) { !$0.state.isOpen }
        case .switchList(let number, let list): switchList(phone(number), to: list)
        case .undo(let number): undo(phone(number))
        case .tapAndUndo(let watch, let row, let pause):
            tap(wearer(watch), row: row)
            run(for: Microseconds(milliseconds: pause))
            undo(phones[served])
        case .forget(let number, let watch): forget(watch, on: phone(number))
        case .retype(let number, let item): retype(item, on: phone(number))
        case .sendFile(let watch, let bytes): sendFile(bytes, to: watch)
        case .noise(let watch, let percent, let jitter, let milliseconds):
            let (wearer, jitter) = (wearer(watch), Microseconds(milliseconds: jitter))
            wearer.radio.change(WatchFaults(loss: Double(percent) / 100, jitter: jitter), at: now)
            wearer.noiseEnds = now + Microseconds(milliseconds: milliseconds)
            happened(.noise, "\(percent) % of the packets around \(wearer.name) are lost for \(milliseconds) ms")
        case .cut(let watch):
            guard wearer(watch).radio.isUp else { return }
            cutLink(of: wearer(watch))
            happened(.cut, "\(wearer(watch).name)'s link is cut")
        case .deafen(let watch, let ends):
            guard wearer(watch).radio.isUp else { return }
            wearer(watch).radio.deafen(ends)
            happened(.halfOpen, "\(wearer(watch).name)'s link goes deaf: \(ends)")
        case .losePower(let watch, let operations, let milliseconds):
            cutPower(of: wearer(watch), after: operations, milliseconds)
        case .losePowerTwice(let watch, let operations, let again, let milliseconds):
            wearer(watch).secondCut = again
            cutPower(of: wearer(watch), after: operations, milliseconds)
        case .failFlash(let watch, let operations, let trouble):
            wearer(watch).flash.failOnce(trouble.error, after: operations, seed: random.next())
        case .wearOutFlash(let watch):
            wearer(watch).flash.wearOut()
            wearer(watch).wornRuns += 1
            happened(.wornFlash, "\(wearer(watch).name)'s flash is worn out")
        case .setWatchClock(let watch, let seconds):
            let wearer = wearer(watch)
            wearer.clockShift += seconds
            wearer.run?.setCalendar(LocalTime(seconds: time(on: wearer)))
            happened(.watchClockJump, "the clock of \(wearer.name)'s watch is set by \(seconds) s")
        case .rotFlash(let watch): rot(wearer(watch))
        case .saveFlash(let watch):
            let wearer = wearer(watch)
            wearer.saved = (wearer.flash.image, oracle.moment(of: wearer.number))
            tell("a copy of \(wearer.name)'s flash is put away")
        case .restoreFlash(let watch):
            let wearer = wearer(watch)
            guard let saved = wearer.saved else { return }
            replaceFlash(of: wearer, with: saved.image)
            oracle.putBack(wearer.number, to: saved.moment, history: histories())
            happened(.flashRollback, "\(wearer.name)'s flash is put back to the copy")
        case .cloneFlash(let watch, let other):
            let (from, to) = (wearer(watch), wearer(other))
            guard from !== to else { return }
            replaceFlash(of: to, with: from.flash.image)
            oracle.replaced(to.number, by: from.number, history: histories())
            happened(.clone, "\(from.name)'s flash is copied to \(to.name)'s watch")
        case .serving(let fault): suffer(fault, on: phones[served])
        case .phone(let number, let fault): suffer(fault, on: phone(number))
        case .serve(let number): serve(phone(number))
        }
    }

    private func press(_ button: Button, on wearer: SimulatedWearer) {
        give(.press(button), to: wearer)
        run(for: .milliseconds(400))
        // Back to the list, which is where a wearer taps.
        if wearer.run?.describe().screen != .list { give(.press(.crown), to: wearer) }
    }

    func cutLink(of wearer: SimulatedWearer) {
        wearer.radio.cut(at: now)
        wearer.run?.wake(at: now)
    }

    private func leave(_ wearer: SimulatedWearer, _ milliseconds: Int) {
        tell("\(wearer.name) leaves")
        wearer.reach = .away(until: now + Microseconds(milliseconds: milliseconds))
        cutLink(of: wearer)
    }

    private func cutPower(of wearer: SimulatedWearer, after operations: Int?, _ milliseconds: Int) {
        guard wearer.run != nil else { return }
        wearer.outage = Microseconds(milliseconds: milliseconds)
        wearer.isCutAgain = false
        if let operations {
            wearer.flash.failPower(after: operations, seed: random.next())
        } else {
            wearer.flash.cutPower()
            goDark(wearer)
        }
    }

    private func replaceFlash(of wearer: SimulatedWearer, with image: [UInt8]) {
        restart(wearer)
        wearer.flash.image = image
    }

    private func rot(_ wearer: SimulatedWearer) {
        oracle.damaged(wearer.number, history: histories())
        guard wearer.flash.decay(&random) else { return }
        happened(.bitRot, "a bit of \(wearer.name)'s flash flips")
    }

    private func suffer(_ fault: ComputerFault, on phone: PhoneComputer) {
        switch fault {
        case .kill, .failDisk, .setClock, .saveDatabase: suffer(fault, phone)
        case .restart:
            // The program that closes a database last has SQLite copy its log into the file, and the next one begins another log.
            if phone.program != nil { phone.closeCommands() }
            suffer(fault, phone)
        case .restoreDatabase:
            guard phone.hasCopy else { return }
            let before = contents(of: phone)
            suffer(fault, phone)
            let after = contents(of: phone)
            oracle.rolledBack(
                phone.number, before: before?.history ?? [], after: after?.history ?? [], known: after?.titles ?? [])
        }
    }
}
