import DeviceModel
import PhoneHost
import Watch
import WatchLink

extension WatchScenario {
    func begin() {
        for phone in phones {
            disk.restore(
                DatabaseTemplate.phones[parts.template(phone.number)].image(at: phone.path), in: phone.directory)
            if plan.offersPast { buyBefore(on: phone) }
            addItems(plan.cast.items[phone.number], to: phone)
        }
        start(phones[served])
        if plan.cast.flash == .maximum { count(.slowFlash) }
        for wearer in wearers { turnOn(wearer) }
    }

    // MARK: Watches

    func turnOn(_ wearer: SimulatedWearer) {
        wearer.flash.restorePower()
        wearer.attempts += 1
        if wearer.flash.isWorn { wearer.wornRuns += 1 }
        if let operations = wearer.secondCut {
            (wearer.secondCut, wearer.isCutAgain) = (nil, true)
            wearer.flash.failPower(after: operations, seed: random.next())
        }
        let calendar = BoardCalendar.set(
            LocalTime(seconds: time(on: wearer)), at: now)
        let boot = WatchBoot(
            flash: wearer.flash, pace: plan.cast.flash, radio: wearer.radio, profile: WatchScenario.profile, start: now,
            calendar: calendar, seed: parts.watchSeed(plan.seed, wearer.number, wearer.starts))
        do {
            wearer.files.restart()
            let run = try parts.start(boot, plan.sendsFiles ? wearer.files : nil)
            guard wearer.flash.hasPower else {
                // The power failed again while the program read the journal.
                wearer.isCutAgain = false
                count(.powerCutTwice)
                tell("\(wearer.name)'s watch starts, and loses its power again")
                wearer.power = .off(until: now + .milliseconds(300))
                return
            }
            wearer.turnOn(run)
            tell("\(wearer.name)'s watch starts")
            // Returns to the list, because wearers tap there.
            if run.describe().screen != .list { _ = run.take(.press(.crown), at: now + .milliseconds(50)) }
        } catch {
            preconditionFailure("no descriptors are left: \(error)")
        }
    }

    /// Returns what the watch's wall clock shows, in seconds since 1970.
    func time(on wearer: SimulatedWearer) -> UInt32 {
        UInt32(clamping: SimulatedWallClock.start + wearer.clockShift + Int(now.microseconds / 1_000_000))
    }

    func restart(_ wearer: SimulatedWearer) {
        guard wearer.run != nil else { return }
        wearer.outage = .milliseconds(300)
        wearer.flash.cutPower()
        goDark(wearer)
    }

    func goDark(_ wearer: SimulatedWearer) {
        if touching?.watch == wearer.number { concludeTouch() }
        takePulses(of: wearer)
        oracle.wentDark(wearer.number)
        wearer.radio.cut(at: now)
        wearer.flash.cutPower()
        count(.powerCut)
        tell("\(wearer.name)'s watch loses its power")
        wearer.power = .off(until: now + wearer.outage)
    }

    // MARK: The phone

    func launch(_ phone: PhoneComputer, _ process: DiskProcess) throws -> PhoneProgram {
        try PhoneProgram(
            of: phone, process, simulation.clock, wrapping: parts.store)
    }

    func started(_ phone: PhoneComputer) {
        followFiles()
        for wearer in wearers { wearer.radio.encourage(at: now + Microseconds(random.next() % 100_000)) }
    }

    func ended(_ phone: PhoneComputer, _ loss: Loss?) {
        switch loss {
        case nil: for file in files { file.checkFate() }
        case .nothing: break
        case .power: phone.closeCommands()
        }
        loseFiles()
    }

    func closeOthers(_ phone: PhoneComputer) { phone.closeCommands() }

    func serve(_ phone: PhoneComputer) {
        guard phone.number != served else { return }
        stop(phones[served])
        phones[served].starts = nil
        served = phone.number
        count(.anotherPhone)
        start(phone)
    }

    func end() { for phone in phones { phone.killCommands() } }
}
