import Watch

/// A flash chip for boards whose flash is not the subject: it keeps nothing and always reads as erased.
struct BlankFlash: NORFlash {
    let flashGeometry = FlashGeometry(sectorCount: 4)
    let flashActivity = FlashActivity.ready

    func readFlash(at address: Int, into destination: inout MutableSpan<UInt8>) throws(FlashError) {
        for index in destination.indices { destination[index] = 0xFF }
    }

    func programFlash(at address: Int, _ bytes: Span<UInt8>) throws(FlashError) {}

    func beginErase(sector: Int) throws(FlashError) {}

    func finishErase() {}
}
