extension SystemInstruction {
    /// The name in the assembler language (A7.7); DSB for each barrier: `CortexM4.mnemonic` tells them apart.
    var mnemonic: String {
        switch self {
        case .none: "NOP"
        case .waitForInterrupt: "WFI"
        case .waitForEvent: "WFE"
        case .sendEvent: "SEV"
        case .barrier: "DSB"
        case .ifThen: "IT"
        case .breakpoint: "BKPT"
        case .supervisorCall: "SVC"
        case .read: "MRS"
        case .write: "MSR"
        case .mask(.on, _): "CPSID"
        case .mask(.off, _): "CPSIE"
        }
    }
}
