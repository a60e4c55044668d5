extension BlueZControl {
    /// Advertises until the registration ends.
    public func advertise(
        _ advertisement: BluetoothAdvertisement, on adapter: String
    ) async throws(BluetoothError) -> BluetoothRegistration {
        _ = try await poweredOn(adapter)
        let path = "/org/tapline/advertisement\(nextObject())"
        let properties: [String: BusValue] = [
            "Type": .string("peripheral"), "LocalName": .string(advertisement.name), "Discoverable": .yes,
            "ServiceUUIDs": .strings([advertisement.service.rawValue]),
        ]
        link.export(
            BusExport(properties: { [BlueZ.advertisement: properties] }) { call, answer in
                // Release: bluetoothd ends the advertisement, for example because it exits.
                answer(call.member == "Release" ? .success([]) : .failure(.unknownMethod(call)))
            }, at: path)
        return try await registered(path, with: BlueZ.advertisingManager, "Advertisement", on: adapter) { [link] in
            link.bus.withdraw(path)
        }
    }

    /// Offers the services of a watch until the registration ends.
    public func serve(
        _ services: WatchServices, on adapter: String
    ) async throws(BluetoothError) -> BluetoothRegistration {
        _ = try await poweredOn(adapter)
        let application = GATTApplication(watch: services, root: "/org/tapline/services\(nextObject())")
        application.show(on: link)
        return try await registered(application.root, with: BlueZ.gattManager, "Application", on: adapter) { [link] in
            application.hide(from: link.bus)
        }
    }

    /// Registers an object of ours with a manager of an adapter, which may appear later than the adapter.
    private func registered(
        _ path: String, with manager: String, _ what: String, on adapter: String,
        undo: @escaping @Sendable () async -> Void
    ) async throws(BluetoothError) -> BluetoothRegistration {
        let place = BlueZ.path(ofAdapter: adapter)
        do throws(BluetoothError) {
            return try await register(on: adapter) { [self] () throws(BluetoothError) in
                try await patiently(within: .seconds(10), about: .adapter(adapter)) {
                    [link] () throws(BluetoothError) in
                    do throws(BluetoothError) {
                        try await link.call(place, manager, "Register" + what, [.objectPath(path), .named([:])])
                    } catch .refused("org.bluez.Error.AlreadyExists", _) {
                        // It is registered with this daemon already.
                    } catch {
                        throw error
                    }
                }
            } undo: { [link] in
                let call = BusCall(
                    destination: BlueZ.name, path: place, interface: manager, member: "Unregister" + what,
                    body: [.objectPath(path)])
                let bus = link.bus
                // This task is cancelled, which would cancel its calls too. A daemon that is gone has forgotten the object.
                await Task { _ = try? await bus.call(call) }.value
                await undo()
            }
        } catch {
            await undo()
            throw error
        }
    }
}
