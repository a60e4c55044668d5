import BluetoothBridge

extension BluetoothPeripheral {
    /// A radio for a simulated watch, to which phones connect through this.
    ///
    /// - Parameter note: receives the reason when a phone is refused, and other troubles; see `BluetoothRadio`.
    public func makeRadio(note: @escaping @Sendable (BluetoothError) -> Void) -> sending BluetoothRadio {
        BluetoothRadio(listener, phone: phone, banned: banned, note: note)
    }
}
