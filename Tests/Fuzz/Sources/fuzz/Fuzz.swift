import Foundation

#if FUZZING
/// The target that the environment names, which `Tests/fuzz` sets.
private let chosen: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["TAPLINE_FUZZ"] ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
        fatalError("TAPLINE_FUZZ is one of \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return target
}()

/// libFuzzer calls this with one input after another. What traps is a bug.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    chosen.run(FuzzInput(Array(UnsafeBufferPointer(start: start, count: count))))
    return 0
}
#else
@main struct Fuzz {
    static func main() {
        print("Tests/fuzz builds this with libFuzzer and runs it")
    }
}
#endif
