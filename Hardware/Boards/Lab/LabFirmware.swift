import NRF52
import Watch

#if os(none)

@c(LabFirmware_main) func runLab() {
    LabWatch.run {
        NamedHandler("shipping", ShippingHandler())
        NamedHandler("legacy", LegacyHandler())
        NamedHandler("every stage", EveryStage())
    }
}

#else

/// A build for the host makes this program, which prints how to make the image. The build shows compile errors in the firmware
/// early.
@main enum LabFirmware {
    static func main() {
        print("This is an image for the lab: Hardware/build --lab makes it, and tapline lab executes it.")
    }
}

#endif
