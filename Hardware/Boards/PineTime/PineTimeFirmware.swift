import NRF52
import Watch

#if os(none)

@c(PineTimeFirmware_main) func runFirmware() {
    PineTimeWatch.run(ShippingHandler())
}

#else

/// A build for the host compiles the firmware too, to find compile errors. The result is this program, which prints how to make
/// the image.
@main enum Firmware {
    static func main() {
        print("This is firmware: Hardware/build makes the image for the watch's processor.")
    }
}

#endif
