/// What one check of the doctor found.
struct Finding: Equatable, Sendable {
    /// A few words.
    var subject: String
    var purpose: Purpose
    var outcome: Outcome

    /// What needs a part of the machine.
    enum Purpose: String, CaseIterable, Equatable, Sendable {
        /// Tapline does not run without it.
        case simulator
        /// The watch looks better with it; without it there is plain text.
        case display
        /// A real dongle needs it.
        case bluetooth
        /// The firmware's image needs it.
        case firmware

        /// The heading of its group in the report.
        var heading: String {
            switch self {
            case .simulator: "Simulator"
            case .display: "Display"
            case .bluetooth: "Bluetooth"
            case .firmware: "Firmware"
            }
        }
    }

    enum Outcome: Equatable, Sendable {
        /// It is; `detail` says more about it.
        case present(detail: String)
        /// It is missing or unusable: why, and the one command that fixes it.
        case lacking(detail: String, remedy: String)
    }

    static func present(_ subject: String, for purpose: Purpose, _ detail: String) -> Finding {
        Finding(subject: subject, purpose: purpose, outcome: .present(detail: detail))
    }

    /// It is missing, and `remedy` fixes that.
    static func lacking(_ subject: String, for purpose: Purpose, _ detail: String, remedy: String) -> Finding {
        Finding(subject: subject, purpose: purpose, outcome: .lacking(detail: detail, remedy: remedy))
    }

    /// Whether it is missing or unusable.
    var isLacking: Bool {
        switch outcome {
        case .present: false
        case .lacking: true
        }
    }

    /// Whether the simulator cannot run because of this.
    var isFatal: Bool {
        switch (purpose, outcome) {
        case (.simulator, .lacking): true
        case (.simulator, .present), (.display, _), (.bluetooth, _), (.firmware, _): false
        }
    }
}

/// One thing that the doctor looks at.
protocol Check: Sendable {
    func finding(on machine: some Machine) -> Finding
}

/// Everything that the doctor looks at, in the order of its report.
let allChecks: [any Check] = [
    SocketsCheck(), DataCheck(), SQLiteCheck(), TickitCheck(),
    TerminalCheck(), ViewCheck(), LocaleCheck(), MouseCheck(),
    AdapterCheck(), RadioSwitchCheck(), SystemBusCheck(), BluetoothServiceCheck(), BluetoothPermissionCheck(),
    EmulatorCheck(processor: .arm), EmulatorCheck(processor: .x86),
]
