import FirmwareWatch
import Foundation
import MPS2Memory
import Watch

/// A flash chip whose power is cut, or whose bytes have changed, leaves a watch that starts.
enum FlashTrouble {
    static func powerCuts(_ setting: HarnessSetting) throws {
        for _ in 0..<12 {
            let machine = try setting.machine()
            // The machine is killed with the value, at any moment of the host's time.
            usleep(UInt32.random(in: 0..<100_000, using: &setting.random))
            withExtendedLifetime(machine) {}
        }
        let machine = try setting.machine()
        _ = try Determinism.play(machine)
        try machine.requireSilence()
    }

    static func decay(_ setting: HarnessSetting) throws {
        _ = try Determinism.play(setting.machine())
        let size = FlashChip.geometry.capacity
        let path = URL(filePath: setting.file("flash"))
        let whole = try FileHandle(forReadingFrom: path).read(upToCount: size) ?? Data()
        try require(whole.count == size, "the flash file has \(whole.count) bytes")
        for share in [1, 10, 1_000, size] {
            var data = whole
            for _ in 0..<share {
                // Every other one in the first pages, which hold what the rest is found by.
                let bound = [1_024, size].randomElement(using: &setting.random) ?? size
                data[Int.random(in: 0..<bound, using: &setting.random)] = .random(in: 0...255, using: &setting.random)
            }
            let file = try FileHandle(forUpdating: path)
            try file.write(contentsOf: data)
            try file.close()
            let machine = try setting.idleMachine()
            let phone = SerialPhone(machine)
            try phone.connect()
            try phone.giveList(5)
            try require(phone.isSettled, "\(share) bytes changed: \(phone.goodbyes)")
            try machine.requireLife()
        }
    }
}
