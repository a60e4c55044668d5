import Watch

extension SimulatedBoard where Flash: ~Copyable {
    /// Enters `event` into the tap histories, or counts it.
    public func trace(_ event: TraceEvent) {
        output.enter(event)
    }
}
