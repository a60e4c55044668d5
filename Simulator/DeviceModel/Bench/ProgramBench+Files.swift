import Watch

// The files that programs on the phone send.
extension ProgramBench where Program: ~Copyable {
    /// How far each file has got, by its transfer.
    public var fileStates: [UInt64: PhoneFileState] { phone.files }

    /// A program on the phone sends a file. It waits while the watch takes none. Traps where another file has had its
    /// transfer.
    public func send(_ file: PhoneFile) {
        onPhone { $0.send(file) }
    }

    /// A program on the phone cancels a file. One that has ended stays as it is.
    public func cancelFile(transfer: UInt64) {
        onPhone { $0.cancelFile(transfer: transfer) }
    }
}
