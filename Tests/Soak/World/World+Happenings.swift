import DeviceModel
import Foundation
import PhoneHost
import Watch
import WatchLink

extension World {
    /// Makes an event of the plan happen.
    func happen(_ what: Happening) {
        switch what {
        case .tap(let watch, let row): tap(wrist(watch), row: row)
        case .doubleTap(let watch, let row):
            tap(wrist(watch), row: row)
            run(for: .milliseconds(120))
            tap(wrist(watch), row: row)
        case .flurry(let watch, let row, let count, let pause):
            for _ in 0..<count {
                tap(wrist(watch), row: row)
                run(for: .milliseconds(UInt32(pause)))
            }
        case .turn(let watch, let detents): give(.crown(detents: detents), to: wrist(watch))
        case .tapAndTurn(let watch, let row, let detents, let pause):
            tap(wrist(watch), row: row)
            run(for: .milliseconds(UInt32(pause)))
            give(.crown(detents: detents), to: wrist(watch))
        case .pressCrown(let watch): press(.crown, on: wrist(watch))
        case .pressSide(let watch): press(.side, on: wrist(watch))
        case .addPast(let watch, let row, let count): addPast(on: wrist(watch), row: row, count: count)
        case .leave(let watch, let milliseconds): leave(wrist(watch), milliseconds)
        case .add, .importList, .remove, .check, .uncheck, .switchList, .undo, .tapAndUndo, .forget, .retype:
            edit(what)
        case .sendFile(let watch, let bytes): sendFile(bytes, to: watch)
        case .serve(let phone): serve(self.phone(phone))
        case .noise, .cut, .deafen: disturb(what)
        case .losePower, .losePowerTwice, .failFlash, .wearOutFlash, .setWatchClock, .rotFlash, .saveFlash,
            .restoreFlash, .cloneFlash:
            breakWatch(what)
        case .killHost, .losePhonePower, .restartHost, .failDisk, .saveDatabase, .restoreDatabase,
            .setClock:
            breakPhone(what)
        }
    }

    func wrist(_ number: Int) -> Wrist { wrists[number % wrists.count] }
    func phone(_ number: Int) -> Phone { phones[number % phones.count] }

    private func press(_ button: Button, on wrist: Wrist) {
        give(.press(button), to: wrist)
        run(for: .milliseconds(400))
        // Back to the list, which is where a wearer taps.
        if wrist.run?.describe().screen != .list { give(.press(.crown), to: wrist) }
    }

    private func leave(_ wrist: Wrist, _ milliseconds: Int) {
        tell("\(wrist.name) leaves")
        wrist.reach = .away(until: now + .milliseconds(UInt32(milliseconds)))
        wrist.radio.cut(at: now)
        wrist.run?.wake(at: now)
    }

    func serve(_ phone: Phone) {
        guard phone.number != served else { return }
        stopHost()
        served = phone.number
        count(.anotherPhone)
        startHost()
    }

    private func disturb(_ what: Happening) {
        switch what {
        case .noise(let watch, let percent, let jitter, let milliseconds):
            let wrist = wrist(watch)
            wrist.radio.change(
                WatchFaults(loss: Double(percent) / 100, jitter: .milliseconds(UInt32(jitter))), at: now)
            wrist.noiseEnds = now + .milliseconds(UInt32(milliseconds))
            count(.noise)
            tell("\(percent) % of the packets around \(wrist.name) are lost for \(milliseconds) ms")
        case .cut(let watch):
            let wrist = wrist(watch)
            guard wrist.radio.isUp else { return }
            wrist.radio.cut(at: now)
            wrist.run?.wake(at: now)
            count(.cut)
            tell("\(wrist.name)'s link is cut")
        case .deafen(let watch, let direction):
            let wrist = wrist(watch)
            guard wrist.radio.isUp else { return }
            switch direction {
            case .phone: wrist.radio.change(.watchOnly)
            case .watch: wrist.radio.change(.phoneOnly)
            case .both: wrist.radio.change(.none)
            }
            count(.halfOpen)
            tell("\(wrist.name)'s link goes deaf: \(direction.rawValue)")
        case .tap, .doubleTap, .flurry, .turn, .tapAndTurn, .pressCrown, .pressSide, .addPast, .leave, .add, .remove,
            .check,
            .uncheck, .switchList, .importList, .undo, .tapAndUndo, .forget, .retype, .sendFile, .serve, .losePower,
            .losePowerTwice,
            .failFlash, .wearOutFlash, .setWatchClock, .rotFlash, .saveFlash, .restoreFlash, .cloneFlash, .killHost,
            .losePhonePower, .restartHost, .failDisk, .saveDatabase, .restoreDatabase, .setClock:
            break
        }
    }
}
