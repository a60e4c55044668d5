import DeviceModel
import HostSystem
import WatchLink

extension WatchScenario {
    /// The bounds for costs. The README gives the source of each.
    enum Bounds {
        /// From the interrupt of a touch to the haptic, with the flash at its typical times, and at its maximum times. A past
        /// item is shown before it is kept: the 168 lines of the panel take 24.4 ms.
        static func felt(_ flash: WatchCast.Flash, _ deed: FeltTap.Deed) -> Microseconds {
            let record: Microseconds =
                switch flash {
                case .typical: .milliseconds(10)
                case .maximum: .milliseconds(20)
                }
            return switch deed {
            case .checkOff: record
            case .addition: record + .milliseconds(25)
            }
        }
        /// The sectors that may have been erased: the journal erases one of its two banks when it has changed to the other:
        ///
        /// - at a start it erases the bank on standby, and changes to it if the other was damaged or is full;
        /// - an operation that fails has it change banks sooner, or begin the change under way again;
        /// - on a worn chip it gives up after three changes that failed;
        /// - besides, it changes banks when one of them is three quarters full, which takes a program for each page.
        static func erases(_ wearer: SimulatedWearer) -> Int {
            // The sectors for files are erased by a pace of their own.
            let geometry = SimulatedWearer.geometry
            let bank = geometry.sectorCount / 2
            let pages = bank * geometry.sectorSize / geometry.pageSize
            let changes = 2 * wearer.attempts + wearer.flash.failures + 3 * wearer.wornRuns
            let programs = wearer.flash.operations - wearer.flash.erases
            return bank * changes + bank * programs / (pages / 4 * 3)
        }
        /// The bytes of a phone's files: the write-ahead log is copied back at 1,000 pages of 4,096 bytes.
        static let bytes = 8 << 20
    }

    func judgePromptness(of tap: FeltTap, at time: Instant, on wearer: SimulatedWearer) {
        let delay = time - tap.touched
        guard delay > Bounds.felt(plan.cast.flash, tap.deed) else { return }
        fail(.feltIsKept, "\(tap.title) was felt \(delay.count / 1_000) ms after the touch")
    }

    func judgeCosts() {
        for wearer in wearers where wearer.flash.erases > Bounds.erases(wearer) {
            fail(.boundedCost, "\(wearer.name)'s watch erases \(CountText(wearer.flash.erases, "sector"))")
        }
        for phone in phones where disk.size(of: phone.directory) > Bounds.bytes {
            fail(.boundedCost, "the files of \(phone.name) take \(CountText(disk.size(of: phone.directory), "byte"))")
        }
    }
}
