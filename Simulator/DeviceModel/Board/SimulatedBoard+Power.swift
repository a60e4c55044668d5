import Watch
import WatchLink

extension SimulatedBoard where Flash: ~Copyable {
    /// It can be restarted: its flash chip is this program's own.
    public static var restarts: RestartSupport { .possible }

    /// Does what a request asks for to the flash chip, and takes the power away and gives it back unless the request only reads.
    /// An erase that is under way is waited for; reading and replacing the contents takes no time of the watch's.
    ///
    /// - Returns: what is in the flash now.
    public func perform(_ request: RestartRequest) throws(RestartError) -> FlashImage {
        if case .load(let new) = request, new.geometry != flashGeometry {
            throw .otherChip(expected: flashGeometry, found: new.geometry)
        }
        finishErase()
        let image: FlashImage
        do throws(FlashError) {
            image =
                switch request {
                case .read, .restart: try flash.readImage()
                case .reset: try replaceContents(with: FlashImage(erased: flashGeometry))
                case .load(let new): try replaceContents(with: new)
                }
        } catch {
            throw .flashFailed(error)
        }
        switch request {
        case .read: break
        case .restart, .reset, .load: losePower()
        }
        return image
    }

    private func replaceContents(with new: FlashImage) throws(FlashError) -> FlashImage {
        let old = try flash.readImage()
        do throws(FlashError) {
            try flash.replaceContents(with: new)
        } catch {
            // Where even that fails, the first error is the one to report.
            try? flash.replaceContents(with: old)
            throw error
        }
        return new
    }

    /// Forgets what a board without power does not keep. Its clock, the panel's picture and what the wearer has felt stay.
    private func losePower() {
        radio?.disconnect()
        radioReading = .asked
        drawing = .screen
        stageStarts = []
        output.losePower()
    }
}
