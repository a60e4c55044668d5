import DeviceModel
import HostSystem
import WatchLink

extension WatchScenario {
    /// The limits for time, erases and disk space. Tests/Soak/README.md gives the source of each.
    enum Bounds {
        /// Returns the maximum time from the interrupt of a touch to the haptic. An addition takes longer, because the
        /// watch shows the whole panel before it stores the tap.
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
        /// Returns the maximum number of sectors that the journal may have erased. The journal has two banks. When it
        /// changes banks, it erases the bank that it leaves:
        ///
        /// - At a start, it may erase the standby bank. It may also change banks if the active bank is damaged or full.
        /// - After a failed operation, it changes banks earlier, or repeats the current change.
        /// - On a worn chip, it gives up after three failed changes.
        /// - Otherwise it changes banks when the active bank is three quarters full. Each page of a bank takes at least
        ///   one program operation.
        static func erases(_ wearer: SimulatedWearer) -> Int {
            // The sectors for files do not count.
            let geometry = SimulatedWearer.geometry
            let bank = geometry.sectorCount / 2
            let pages = bank * geometry.sectorSize / geometry.pageSize
            let changes = 2 * wearer.attempts + wearer.flash.failures + 3 * wearer.wornRuns
            let programs = wearer.flash.operations - wearer.flash.erases
            return bank * changes + bank * programs / (pages / 4 * 3)
        }
        /// The maximum size of a phone's files, in bytes. SQLite copies the write-ahead log back at 1,000 pages of
        /// 4,096 bytes.
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
