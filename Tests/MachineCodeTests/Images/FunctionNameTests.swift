import Testing

@testable import MachineCode

/// Names of functions as a reader of a call stack wants them.
struct FunctionNameTests {
    @Test(arguments: [
        ("main", "main"),
        ("Watch.DirtyLines.next(from: Swift.Int) -> Swift.Int?", "Watch.DirtyLines.next(from: Int)"),
        (
            "generic specialization <LabBoard.LabBoard, Bad.Odd> of (extension in Watch):Watch.WatchCore< where A: "
                + "~Swift.Copyable>.run<A where A1: Watch.TapStage>(_: A1.Type, for: Watch.Tap) -> ()",
            "Watch.WatchCore.run(_: A1.Type, for: Watch.Tap)"
        ),
        (
            "function signature specialization <Arg[0] = Dead> of generic specialization <serialized, Swift.Int> of "
                + "Swift.Array.append(A) -> ()",
            "Array.append(A)"
        ),
        ("closure #1 (A<B>) -> C in main.f(x: [Swift.Int: A<B>]) -> ()", "closure #1 (A<B>)"),
        ("generic specialization <broken of nothing", "generic specialization <broken of nothing"),
        ("", ""),
    ])
    func short(demangled: String, expected: String) {
        #expect(FunctionName(demangled).short == expected)
    }
}
