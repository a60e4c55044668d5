import DeviceModel
import MachineWatch
import Watch

extension TapBench where Program: ~Copyable {
    /// A watch that is compiled for this machine, and charged what its table says.
    static func make<Handler: TapHandler>(
        _ handler: Handler, stages: [PlacedStage]?, under conditions: Conditions, activities: ActivityLog? = nil,
        describing rows: DescribedRows = .visible
    ) throws(TapLatencyError) -> TapBench
    where Program == RuntimeProgram<SimulatedBoard<SharedFlash>, Handler> {
        let table = try conditions.table(for: stages, remaining: conditions.listLength)
        let bench: WatchBench<Handler>
        do throws(DeviceModelError) {
            bench = try WatchBench(
                phone: conditions.phone, handler: handler,
                profile: conditions.profile, counts: table, seed: conditions.seed, activities: activities,
                describing: rows)
        } catch {
            throw .board("\(error)")
        }
        return try TapBench(
            bench, immediateStages: stages?.count { $0.runs && $0.placement == .immediate }, under: conditions)
    }

    /// A watch whose machine code is executed.
    static func make(
        _ handler: ExecutedHandler, under conditions: Conditions, activities: ActivityLog? = nil,
        recording: CallRecording = .none
    ) throws(TapLatencyError) -> TapBench where Program == MachineProgram<SharedFlash> {
        let bench: MachineBench
        do throws(DeviceModelError) {
            bench = try MachineBench(
                handler.image, handler.composition,
                phone: conditions.phone,
                profile: conditions.profile, seed: conditions.seed, activities: activities,
                recording: recording)
        } catch {
            throw .board("\(error)")
        }
        return try TapBench(bench, immediateStages: handler.immediateStages, under: conditions)
    }
}

extension TapBench where Program == MachineProgram<SharedFlash> {
    /// Where the watch's cycles went so far.
    var spending: MachineSpending { bench.watch.lookInside { $0.spending } }

    /// What the handler's own code has executed so far, where the image reports when that begins and returns.
    var handlerCode: HandlerCode { bench.watch.lookInside { $0.handlerCode } }

    /// The calls of the watch's program that were recorded.
    var recordedCalls: [CountedCall] { bench.watch.lookInside { $0.recording.calls } }
}
