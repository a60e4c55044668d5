import Testing

@testable import soak

@Suite struct SoakPoolTests {
    /// Returns a pool whose workers run a shell script. The script has the range of its seeds in `$first` and `$last`.
    private func pool(_ processes: Int, _ script: String) -> SoakPool {
        let program = """
            first=${1%-*} last=${1#*-}
            \(script)
            echo '{"found":[],"scenarios":{},"seeds":'$((last - first + 1))'}'
            """
        return SoakPool(processes: processes, command: ["/bin/sh", "-c", program, "sh"])
    }

    @Test(arguments: [1, 4]) func `every seed of a range is run once`(_ processes: Int) throws {
        let report = try pool(processes, "echo $first").run(SeedRange("7-999"))
        #expect(report.seeds == 993)
    }

    @Test func `a seed that ends its worker is told, and the others are run`() throws {
        let script = """
            seed=$first
            while [ $seed -le $last ]; do
                echo $seed
                if [ $seed = 60 ] || [ $seed = 99 ]; then kill -9 $$; fi
                seed=$((seed + 1))
            done
            """
        let report = try pool(3, script).run(SeedRange("0-249"))
        #expect(report.found.map(\.seed) == [60, 99])
        #expect(report.found.allSatisfy { $0.promise == .staysUp })
        #expect(report.seeds == 250)
    }

    @Test func `a worker that is gone is noticed while the others run`() throws {
        // A worker that inherited the pipes of other workers would keep these pipes open.
        for _ in 0..<20 {
            let report = try pool(6, "echo $first; if [ $first = 50 ]; then kill -9 $$; fi").run(SeedRange("0-599"))
            #expect(report.found.map(\.seed) == [50])
        }
    }

    @Test func `workers that never begin are an error`() throws {
        #expect(throws: WorkerError("/bin/sh ends before it has run a seed")) {
            try pool(2, "exit 1").run(SeedRange("0-99"))
        }
        #expect(throws: WorkerError("/nowhere/at-all cannot be started: No such file or directory")) {
            try SoakPool(processes: 1, command: ["/nowhere/at-all"]).run(SeedRange("0-99"))
        }
    }

    @Test func `a worker that says nothing any more is given up`() throws {
        var worker = try WorkerProcess(["/bin/sh", "-c", "echo 12; exec sleep 100"], 10...20)
        guard case .lost(at: 12, let reason) = worker.answer(patience: 50) else {
            Issue.record("it was waited for")
            return
        }
        #expect(reason.hasPrefix("the seed did not end"))
    }
}
