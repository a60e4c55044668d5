/// Where in a block of words a call finds its values.
package enum HostBlock {
    /// Words of the longest block.
    package static var words: Int { 48 }

    /// The program's settings.
    package enum Settings {
        /// Randomness for the identity of a watch whose flash holds none.
        package static var seedLow: Int { 0 }
        package static var seedHigh: Int { 1 }
        /// 0 to run, 1 to name the handlers and their stages.
        package static var purpose: Int { 2 }
        /// The handler, counted from 0.
        package static var handler: Int { 3 }
        /// `HostCall.nothing` for the handler as it is; otherwise how many of its stages follow, up to `mostStages`.
        package static var stageCount: Int { 4 }
        /// Each a stage's number in its handler, with `deferred` added for one after the update of the panel.
        package static var stages: Int { 5 }
        package static var mostStages: Int { 32 }
        package static var deferred: UInt32 { 0x100 }
        /// 1 where a handler as it is reports when its own code begins and returns, else 0.
        package static var handlerReports: Int { 37 }
    }

    /// An input: its kind with what goes with it, and the instant of its interrupt.
    package enum Input {
        package static var kind: Int { 0 }
        package static var first: Int { 1 }
        package static var second: Int { 2 }
        package static var timeLow: Int { 3 }
        package static var timeHigh: Int { 4 }
    }

    /// What an input is.
    package enum InputKind: UInt32, Sendable {
        /// `first` and `second` are x and y.
        case touch = 0
        /// `first` is the detents.
        case crown = 1
        /// `first` is the button's raw value.
        case press = 2
        case hold = 3
        /// `first` is the six digits.
        case compareDigits = 4
        case pairingOver = 5
        /// `first` is the raw value of the event or of the form.
        case wrist = 8
        case clock = 9
        /// `first` and `second` are x and y.
        case moved = 6
        case lifted = 7
    }

    /// What the runtime reports.
    package enum Trace {
        package static var timeLow: Int { 0 }
        package static var timeHigh: Int { 1 }
        /// The tap's number.
        package static var tap: Int { 2 }
        /// The beginning of a moment.
        package static var fromLow: Int { 3 }
        package static var fromHigh: Int { 4 }
    }

    package enum TraceKind: UInt32, Sendable {
        // The call's value is a mark's raw value, a stage's name as an address, or an error's number.
        case mark = 0
        case stageBegan = 1
        case stageEnded = 2
        case screenChanged = 3
        case journalFailed = 4
        /// The call's value is the moment's raw value.
        case moment = 5
    }
}
