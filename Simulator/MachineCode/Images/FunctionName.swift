/// The runtime's own reader of mangled names, which `swift demangle` uses, too (swift/Demangling/Demangle.h). It writes into
/// `buffer` and returns it, or nil for what is no mangled name.
@_silgen_name("swift_demangle")
private func demangle(
    _ name: UnsafePointer<CChar>?, _ length: Int, _ buffer: UnsafeMutablePointer<CChar>?,
    _ size: UnsafeMutablePointer<Int>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?

extension FunctionTable.Function {
    /// The name as the source has it; the symbol's own for what is not Swift's.
    package var title: String {
        var size = 2_048
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { buffer in
            let bytes = Array(name.utf8CString)
            guard demangle(bytes, bytes.count - 1, buffer.baseAddress, &size, 0) != nil else { return name }
            return buffer.baseAddress.map { String(cString: $0) } ?? name
        }
    }
}
