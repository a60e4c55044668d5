import Watch

extension SimulatedBoard where Flash: ~Copyable {
    /// Enters `event` into the tap histories, or counts it.
    public func trace(_ event: TraceEvent) {
        switch event {
        case .mark, .stageBegan, .stageEnded: output.taps.enter(event)
        case .screenChanged: output.screenChanges += 1
        case .journalFailed(let error, _): output.journalFailure = error
        }
        output.revision += 1
    }
}
