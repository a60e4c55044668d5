import DeviceModel
import PhoneHost
import Watch
import WatchLink

extension World {
    /// Everything begins: the phones have their lists, the first one serves, the watches have power.
    func begin() {
        for phone in phones {
            disk.restore(DatabaseTemplate.image(parts.template(phone.number), for: phone), in: phone.directory)
            if plan.offersPast { buyBefore(on: phone) }
            addItems(plan.items[phone.number], to: phone)
        }
        startHost()
        if plan.flash == .maximum { count(.slowFlash) }
        for wrist in wrists { turnOn(wrist) }
    }

    // MARK: Watches

    func turnOn(_ wrist: Wrist) {
        wrist.flash.restorePower()
        wrist.attempts += 1
        if wrist.flash.isWorn { wrist.wornRuns += 1 }
        if let operations = wrist.secondCut {
            wrist.secondCut = nil
            wrist.flash.failPower(after: operations, seed: random.next())
        }
        let calendar = BoardCalendar.set(
            LocalTime(seconds: time(on: wrist)), at: now)
        let boot = Boot(
            flash: wrist.flash, pace: plan.flash, radio: wrist.radio, profile: World.profile, start: now,
            calendar: calendar, seed: parts.watchSeed(plan.seed, wrist.number, wrist.starts))
        do {
            wrist.shelf.restart()
            let run = plan.sendsFiles ? try parts.startFiling(boot, wrist.shelf) : try parts.start(boot)
            guard wrist.flash.hasPower else {
                // It failed once more while the journal was read.
                count(.powerCutTwice)
                tell("\(wrist.name)'s watch starts, and loses its power again")
                wrist.power = .off(until: now + .milliseconds(300))
                return
            }
            wrist.turnOn(run)
            tell("\(wrist.name)'s watch starts")
            // The list is where a wearer taps.
            if run.describe().screen != .list { _ = run.take(.press(.crown), at: now + .milliseconds(50)) }
        } catch {
            preconditionFailure("no descriptors are left: \(error)")
        }
    }

    /// What the wall clock of a watch shows, in seconds since 1970.
    func time(on wrist: Wrist) -> UInt32 {
        UInt32(clamping: WallClock.start + wrist.clockShift + Int(now.microseconds / 1_000_000))
    }

    /// The power of a watch fails, and comes back soon.
    func restart(_ wrist: Wrist) {
        guard wrist.run != nil else { return }
        wrist.outage = .milliseconds(300)
        wrist.flash.cutPower()
        goDark(wrist)
    }

    /// A watch has lost its power.
    func goDark(_ wrist: Wrist) {
        if touching?.watch == wrist.number { concludeTouch() }
        takePulses(of: wrist)
        oracle.wentDark(wrist.number)
        wrist.radio.cut(at: now)
        wrist.flash.cutPower()
        count(.powerCut)
        tell("\(wrist.name)'s watch loses its power")
        wrist.power = .off(until: now + wrist.outage)
    }

    // MARK: The phone

    func startHost() {
        hostStarts = nil
        let phone = phones[served]
        guard phone.run == nil else { return }
        do throws(PhoneError) {
            phone.run = try HostRun(
                of: phone, on: disk, at: now, pump: pump, wrapping: parts.store,
                control: plan.sendsFiles ? AirListener() : nil)
            tell("\(phone.name) serves")
            followFiles()
            for wrist in wrists { wrist.radio.encourage(at: now + Microseconds(random.next() % 100_000)) }
        } catch {
            tell("\(phone.name) cannot serve: \(error)")
            hostStarts = now + .seconds(2)
        }
    }

    func stopHost() {
        guard let run = phones[served].run else { return }
        run.stop(pump)
        for file in files { file.hear() }
        loseFiles()
        noteFailures(of: run)
        disk.release(run.process)
        phones[served].run = nil
        tell("\(phones[served].name) stops")
    }

    /// Counts the writes that have failed since the phone's program started.
    func noteFailures(of run: HostRun) {
        let failures = run.process.failures - run.failuresNoted
        run.failuresNoted += failures
        guard failures > 0 else { return }
        counts[diskTrouble == .full ? .diskFull : .diskFailure, default: 0] += failures
    }

    /// The phone's program was killed.
    func bury(_ run: HostRun) {
        loseFiles()
        run.kill(pump)
        noteFailures(of: run)
        let phone = phones[served]
        phone.run = nil
        switch outage.loss {
        case .program:
            disk.release(run.process)
            count(.kill)
            tell("\(phone.name)'s program is killed at its write \(run.process.writes)")
        case .power:
            phone.closeCommands()
            disk.losePower(phone.directory)
            count(.phonePowerLoss)
            tell("\(phone.name) loses its power at its write \(run.process.writes)")
        }
        hostStarts = now + .milliseconds(UInt32(outage.milliseconds))
    }
}

extension World {
    /// Closes everything.
    func end() {
        for phone in phones {
            phone.run?.kill(pump)
            phone.run = nil
            phone.killCommands()
        }
    }
}
