import DeviceModel
import Foundation
import PhoneHost

/// The phone of a script that runs with `--with-phone`: an `InMemoryPhone`, and the simulated radio to the watch.
package struct OwnPhone: ScriptPhone {
    package let host: InMemoryPhone
    let radio: VirtualRadio

    package init(host: InMemoryPhone, radio: VirtualRadio) {
        (self.host, self.radio) = (host, radio)
    }

    package func make(_ edit: ScriptPhoneEdit) throws(ScriptPhoneError) {
        // Brings the phone's clock to the time of the change.
        radio.runPhone()
        do {
            try runBlocking { [self] in try await perform(edit) }
        } catch {
            throw ScriptPhoneError(reason: "\(error)")
        }
        host.databaseChanged()
        radio.runPhone()
    }

    private func perform(_ edit: ScriptPhoneEdit) async throws {
        switch edit {
        case .add(let title): try await host.store.add([ItemDraft(title: try CleanTitle(title))])
        case .check(let query): try await change(query) { .check(at: $0) }
        case .remove(let query): try await change(query) { .remove(at: $0) }
        }
    }

    private func change(_ query: String, _ action: @Sendable (Date) -> ListEdit.Action) async throws {
        let item = try ItemSelector(try await host.store.contents(), preferring: .open).item(query)
        switch try await host.store.apply(ListEdit(item: item.id, action: action(host.date)), origin: .command) {
        case .changed: break
        case .unchanged, .unknownItem: throw ScriptPhoneError(reason: "\"\(item.title)\" is checked off already")
        }
    }

    package func delivery(awaitingAbsent: Bool) -> ScriptDelivery { host.delivery(awaitingAbsent: awaitingAbsent) }

    package func left() throws(ScriptPhoneError) -> Int {
        do {
            return try runBlocking { [host] in try await host.store.contents().open.count }
        } catch {
            throw ScriptPhoneError(reason: "\(error)")
        }
    }
}
