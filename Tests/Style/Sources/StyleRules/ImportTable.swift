import SwiftSyntax

/// Which modules a target may import. Dependencies point one way, and a C module meets Swift in one file.
public struct ImportTable: Rule {
    /// What the rule is called in a report.
    public static let name = "imports"

    /// The modules that the files of each folder may import.
    let allowed: [String: Set<String>]
    /// The modules that only one file of ours may import, tests aside.
    let seams: Set<String>

    /// A table of its own, for a test.
    init(allowed: [String: Set<String>], seams: Set<String>) {
        self.allowed = allowed
        self.seams = seams
    }

    /// The imports of `file` that the table does not have.
    public func violations(in file: SourceFile, of project: Project) -> [Violation] {
        let imported = imports(of: file)
        guard let folder = allowed.keys.first(where: { file.path.hasPrefix($0 + "/") }) else {
            // A manifest belongs to no target.
            if file.path.hasSuffix("/Package.swift") { return [] }
            return [
                Violation(path: file.path, line: 1, rule: name, message: "no row of the import table is for this file")
            ]
        }
        return imported.compactMap { module, declaration in
            if allowed[folder]?.contains(module) != true {
                return file.violation(name, at: declaration, "\(folder) does not import \(module)")
            }
            let first = project.importers[module]?.first ?? file.path
            if seams.contains(module), !file.path.hasPrefix("Tests/"), first != file.path {
                return file.violation(name, at: declaration, "\(module) is met by \(first) alone")
            }
            return nil
        }
    }
}

extension ImportTable {
    /// What Swift and the system offer to everything that runs on a host.
    private static let host: Set<String> = [
        "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Synchronization", "SystemPackage",
    ]

    /// Tapline's table: the arrows of its design.
    public static let tapline = ImportTable(
        allowed: sources.merging(tests) { first, _ in first },
        seams: [
            "CBlueZ", "CChafa", "CCurl", "CGIF", "CPNG", "CSecret", "CSystemBus", "CTickit", "CUnibilium", "TOMLKit",
        ])

    private static let sources: [String: Set<String>] = [
        "Sources/WatchLink": [],
        "Hardware/Watch": ["WatchLink"],
        "Hardware/Boards/HostCalls": [],
        "Hardware/Boards/Lab": ["LabBoard", "Watch"],
        "Hardware/Boards/LabBoard": ["BoardSupport", "CCortexM", "HostCalls", "Watch", "WatchLink"],
        "Hardware/Boards/LabStart": ["BoardSupport", "CCortexM", "HostCalls"],
        "Hardware/Boards/MPS2": ["MPS2Board", "Watch"],
        "Hardware/Boards/MPS2Board": ["_Volatile", "BoardSupport", "CCortexM", "MPS2Memory", "Watch", "WatchLink"],
        "Hardware/Boards/MPS2Start": ["BoardSupport", "CCortexM", "MPS2Board"],
        "Hardware/Boards/MPS2Memory": ["Watch", "WatchLink"],
        "Hardware/Boards/Support": ["_Volatile", "CCortexM", "Watch"],
        "Simulator/CortexM": [],
        "Simulator/MachineCode": ["CortexM"],
        "Simulator/DeviceModel": host.union([
            "Crypto", "HostSystem", "ListFeed", "Pictures", "TOMLKit", "Watch", "WatchLink",
        ]),
        "Simulator/DeviceModelTesting": host.union(["DeviceModel", "HostSystem", "Watch", "WatchLink"]),
        "Simulator/FirmwareWatch": host.union([
            "DeviceModel", "HostSystem", "ListFeed", "MPS2Memory", "Watch", "WatchLink",
        ]),
        "Simulator/MachineWatch": ["CortexM", "DeviceModel", "HostCalls", "MachineCode", "Watch", "WatchLink"],
        "Simulator/HostRadio": host.union([
            "BluetoothBridge", "DeviceModel", "HostSystem", "Watch", "WatchLink", "Wormhole",
        ]),
        "Simulator/Soak": host.union([
            "CalDAV", "CalDAVTesting", "DeviceModel", "GRDBSQLite", "HostSystem", "Logging", "PhoneHost", "Watch",
            "WatchLink", "Wormhole",
        ]),
        "Simulator/TapLatency": host.union([
            "DeviceModel", "Histogram", "HostSystem", "MachineWatch", "Watch", "WatchLink",
        ]),
        "Simulator/TapLatencyTesting": ["DeviceModel", "TapLatency", "Testing", "Watch", "WatchLink"],
        "Simulator/TerminalWatch": host.union([
            "CChafa", "CTickit", "CUnibilium", "DeviceModel", "HostSystem", "Pictures", "Watch", "WatchLink",
        ]),
        "Simulator/WatchControl": host.union(["DeviceModel", "HostSystem", "Watch", "WatchLink", "Wormhole"]),
        "Sources/BluetoothBridge": host.union([
            "CBlueZ", "CSystemBus", "HostSystem", "Logging", "WatchLink", "Wormhole",
        ]),
        "Sources/BluetoothBridgeTesting": host.union(["BluetoothBridge", "HostSystem", "WatchLink", "Wormhole"]),
        "Sources/CalDAV": host.union(["CCurl", "Crypto", "FoundationXML", "HostSystem"]),
        "Sources/CalDAVTesting": host.union(["CalDAV", "Crypto"]),
        "Sources/HostSystem": host,
        "Sources/ListFeed": ["WatchLink"],
        "Sources/ListFeedTesting": ["ListFeed", "WatchLink"],
        "Sources/PhoneHost": host.union([
            "CSecret", "CalDAV", "GRDB", "GRDBSQLite", "HostSystem", "ListFeed", "Logging", "ShoppingOrder",
            "WatchLink", "Wormhole",
        ]),
        "Sources/ShoppingOrder": ["WatchLink"],
        "Sources/Pictures": host.union(["CGIF", "CPNG", "HostSystem", "WatchLink"]),
        "Sources/Wormhole": host.union(["Crypto", "GRDB", "GRDBSQLite", "HostSystem", "Logging", "WatchLink"]),
        "Sources/WormholeTesting": host.union(["HostSystem", "Logging", "WatchLink", "Wormhole"]),
        "Sources/tapline": host.union([
            "ArgumentParser", "BluetoothBridge", "CalDAV", "DeviceModel", "FirmwareWatch", "HostRadio",
            "HostSystem", "Logging", "MachineCode", "MachineWatch", "PhoneHost", "Pictures", "ShoppingOrder",
            "Soak", "TapLatency", "TerminalWatch", "Watch", "WatchControl", "WatchLink", "Wormhole",
        ]),
        "Tests/Style/Sources": host.union(["StyleRules", "SwiftParser", "SwiftSyntax"]),
    ]

    /// A test imports its target and what that target imports; the watch's tests run it on a board made of software.
    private static let tests: [String: Set<String>] = {
        var rows: [String: Set<String>] = [
            "Tests/BenchmarkFigures": [],
            "Tests/BridgeBenchmark": host.union([
                "ArgumentParser", "BenchmarkFigures", "Crypto", "DeviceModel", "GRDBSQLite", "Histogram", "HostRadio",
                "HostSystem", "ListFeedTesting", "Logging", "PhoneHost", "Watch", "WatchLink", "Wormhole",
                "WormholeTesting",
            ]),
            "Tests/ChannelBenchmark": host.union([
                "BenchmarkFigures", "BluetoothBridge", "GuestSupport", "Logging", "WatchLink", "Wormhole",
            ]),
            "Tests/FirmwareHarness": host.union([
                "DeviceModel", "DeviceModelTesting", "FirmwareWatch", "HostSystem", "ListFeed", "MPS2Memory",
                "SeededNumbers", "Watch", "WatchLink",
            ]),
            "Tests/FirmwareHarnessTests": host.union(["FirmwareHarness", "Testing"]),
            "Tests/Lockstep": host.union([
                "ArgumentParser", "CortexM", "DeviceModel", "HostCalls", "MachineCode", "MachineWatch", "SeededNumbers",
                "SpawnedPrograms", "Watch", "WatchLink",
            ]),
            "Tests/LockstepTests": host.union(["CortexM", "Lockstep", "Testing"]),
            "Tests/SimulationBenchmark": host.union(["BenchmarkFigures", "DeviceModel", "Watch", "WatchLink"]),
            "Tests/Embedded": ["Watch", "WatchLink"],
            "Tests/FrozenTests": host.union([
                "DeviceModel", "DeviceModelTesting", "GRDB", "HostSystem", "Logging", "PhoneHost", "Testing", "Watch",
                "WatchLink", "Wormhole", "WormholeTesting",
            ]),
            "Tests/Fuzz/Sources": host.union([
                "BluetoothBridge", "DeviceModel", "GRDB", "PhoneHost", "Watch", "WatchLink", "Wormhole",
            ]),
            "Tests/GuestSupport": host.union(["BluetoothBridge"]),
            "Tests/SampleWatchTests": [
                "DeviceModel", "Foundation", "HostRadio", "PhoneHost", "Testing", "Watch", "WatchLink",
            ],
            "Tests/SeededNumbers": ["Foundation", "WatchLink"],
            "Tests/SpawnedPrograms": host,
            "Tests/SampleStage/Sources": ["Watch", "WatchLink"],
            "Tests/SampleStage/Tests": [
                "DeviceModel", "SampleHandlers", "TapLatency", "TapLatencyTesting", "Testing", "Watch", "WatchLink",
            ],
            "Tests/SampleStopwatch/Sources": ["Watch", "WatchLink"],
            "Tests/SampleStopwatch/Tests": [
                "DeviceModel", "SampleStopwatch", "Synchronization", "TapLatency", "Testing", "Watch", "WatchLink",
            ],
            "Tests/Style/Tests": ["StyleRules", "Testing"],
        ]
        for (folder, modules) in sources {
            guard let target = folder.split(separator: "/").last, target != "Sources" else { continue }
            rows["Tests/\(target)Tests"] = modules.union(host).union(["Testing", String(target)])
        }
        rows["Tests/WatchTests"]?.insert("DeviceModel")
        // The library that the watch's own SHA-256 is judged by.
        for target in ["Watch", "WatchLink"] { rows["Tests/\(target)Tests"]?.insert("Crypto") }
        for target in ["DeviceModel", "FirmwareWatch", "MachineWatch", "Watch"] {
            rows["Tests/\(target)Tests"]?.insert("DeviceModelTesting")
        }
        for target in ["ListFeed", "PhoneHost"] { rows["Tests/\(target)Tests"]?.insert("ListFeedTesting") }
        rows["Tests/CalDAVTests"]?.insert("CalDAVTesting")
        // A phone that is wrong changes what it offers.
        rows["Tests/SoakTests"]?.insert("ListFeed")
        // The simulated phone says what the real one says.
        rows["Tests/PhoneHostTests"]?.formUnion(["CalDAVTesting", "DeviceModel", "Watch"])
        for target in [
            "BluetoothBridge", "DeviceModel", "ListFeed", "MachineCode", "Pictures", "PhoneHost", "ShoppingOrder",
            "Soak",
            "TerminalWatch", "Watch",
            "WatchLink", "Wormhole",
        ] {
            rows["Tests/\(target)Tests"]?.insert("SeededNumbers")
        }
        for target in ["BluetoothBridge", "HostRadio", "PhoneHost", "Wormhole"] {
            rows["Tests/\(target)Tests"]?.insert("WormholeTesting")
        }
        for target in ["BluetoothBridge", "CortexM", "Frozen", "MachineCode", "tapline", "Watch", "Wormhole"] {
            rows["Tests/\(target)Tests"]?.insert("SpawnedPrograms")
        }
        // A seeded generator.
        for target in ["CortexM", "MachineCode"] { rows["Tests/\(target)Tests"]?.insert("WatchLink") }
        rows["Tests/BluetoothBridgeTests"]?.insert("BluetoothBridgeTesting")
        // A strict parser reads the pages that the lab writes.
        rows["Tests/TapLatencyTests"]?.insert("FoundationXML")
        // Those that take real adapters.
        rows["Tests/BluetoothBridgeTests"]?.insert("GuestSupport")
        rows["Tests/HostRadioTests"]?.insert("GuestSupport")
        rows["Tests/taplineTests"]?.insert("GuestSupport")
        rows["Tests/taplineTests"]?.insert("WormholeTesting")
        rows["Tests/WormholeTests"]?.formUnion(["GRDB", "GRDBSQLite"])
        return rows
    }()
}
