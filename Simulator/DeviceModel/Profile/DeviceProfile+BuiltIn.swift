import WatchLink

extension DeviceProfile {
    /// Tapline's watch: a memory LCD with 144 x 168 pixels and a Cortex-M4 at 64 MHz.
    public static let memoryLCD = DeviceProfile(
        name: "memory-lcd", title: "memory LCD, 144 x 168, Cortex-M4 at 64 MHz",
        processor: cortexM4,
        // Sharp, "Programming Sharp's Memory LCDs" (application note), multiple-line write: 8 mode bits; for each line 8
        // address bits, the pixels and 8 dummy bits; 8 more dummy bits at the end. The panel LS013B7DH05 takes at most 1.1 MHz.
        // The nRF52832's highest SPI frequency below that is 1 MHz. SPIM's interrupt between two lines takes as long as 3 bits.
        // The note's power figures are for the LS027B7DH01 at 2 MHz. The panel shows a line as soon as it is written. Assumed:
        // the liquid crystal turns in 20 ms (10 to 25 ms).
        panel: PanelCost(
            busHertz: 1_000_000, bitsPerLine: 8 + 144 + 8 + 3, bitsPerFlush: 8 + 8, light: .milliseconds(20)),
        flash: serialFlash, haptic: hapticDriver, touch: touchController, radio: lowEnergy, phone: phoneDatabase,
        energy: EnergyCost(
            processorMicroamperes: processorCurrent,
            // Sharp's note: 360 uA during a write. A line takes 145 us.
            panelLine: 360 * 145e-6,
            programMicroamperes: programCurrent, sectorErase: sectorEraseCharge, hapticPattern: hapticCharge,
            radioEvent: radioEventCharge, radioByte: radioByteCharge),
        assumptions: [
            "The pixels turn in 20 ms (10 to 25).", "A click is felt 20 ms after its start (10 to 30).",
        ] + commonAssumptions)

    /// A colour watch of the PineTime class: an ST7789 panel on an nRF52832's SPI.
    public static let colourSPI = DeviceProfile(
        name: "colour-spi", title: "colour panel over SPI (PineTime class), nRF52832 at 64 MHz",
        processor: cortexM4,
        // SPI at 8 MHz is the maximum of the nRF52832 (Product Specification, SPIM: FREQUENCY), and the PineTime's wiki
        // recommends it. A pixel has 16 bits (ST7789V, COLMOD 55h). The picture of 144 x 168 is not scaled. Before lines, the
        // board sends CASET and RASET with four bytes each, and RAMWR (ST7789V, section 9.1): 11 bytes. EasyDMA sends at most
        // 255 bytes (nRF52832, SPIM: TXD.MAXCNT has 8 bits), so a line is two transfers. Assumed: the interrupt between them
        // takes 3 us. The flash chip uses the same bus (PineTime's wiring). The panel shows its memory 60 times a second
        // (ST7789V, FRCTRL2, 0Fh). Assumed: its pixels turn in 20 ms.
        panel: PanelCost(
            busHertz: 8_000_000, bitsPerLine: 144 * 16, bitsPerFlush: 88,
            transfers: PanelCost.Transfers(mostBytes: 255, pause: Microseconds(3)), bus: .sharedWithFlash,
            scanOut: Microseconds(16_667), light: .milliseconds(20)),
        // A pin switches the motor, without a bus. Assumed: the wearer feels the motor after 50 ms.
        flash: sharedFlash, haptic: HapticCost(busWrite: .zero, start: .zero, rise: .milliseconds(50)),
        touch: touchController,
        radio: lowEnergy,
        phone: phoneDatabase,
        energy: EnergyCost(
            processorMicroamperes: processorCurrent,
            // Assumed: 1 mA for the nRF52832's SPIM with its clock, for the 288 us of a line.
            panelLine: 1_000 * 288e-6,
            programMicroamperes: programCurrent, sectorErase: 20_000 * 70e-3,
            // Assumed: the motor takes 80 mA for 35 ms.
            hapticPattern: 80_000 * 35e-3,
            radioEvent: radioEventCharge, radioByte: radioByteCharge),
        assumptions: [
            "The pixels turn in 20 ms (10 to 25), whatever the backlight does.",
            "A click is felt 50 ms after its start.",
            "The flash chip is as fast as its smaller sibling (XT25F08B-S).",
            "An interrupt between the two transfers of a line takes 3 us.",
        ] + commonAssumptions)

    /// A device whose operations take no time and no battery charge.
    public static let instant = DeviceProfile(
        name: "instant", title: "everything takes no time",
        processor: Processor(clockHertz: nil, cyclesPerInstruction: 0),
        panel: PanelCost(busHertz: nil, bitsPerLine: 0, bitsPerFlush: 0),
        flash: FlashCost(
            busHertz: nil,
            program: FlashCost.Program(firstByte: .zero, nextByteNanoseconds: (0, 0), page: .zero), sectorErase: .zero,
            eraseSuspend: FlashCost.EraseSuspend(latency: .zero, betweenSuspends: .zero)),
        haptic: HapticCost(busWrite: .zero, start: .zero),
        touch: TouchCost(scanInterval: .zero),
        radio: RadioCost(
            interval: .zero, latency: 0, packetBytes: 251, packetsPerEvent: 1, credits: 1, supervisionTimeout: .zero),
        phone: PhoneCost(readThousandRows: .zero, commit: .zero),
        energy: EnergyCost(
            processorMicroamperes: 0, panelLine: 0, programMicroamperes: 0, sectorErase: 0, hapticPattern: 0,
            radioEvent: 0, radioByte: 0))

    /// The assumptions that `memory-lcd` and `colour-spi` share.
    private static let commonAssumptions = [
        "The touch controller scans every 40 ms after 2 s without a touch.",
        "An event carries up to three packets each way (controllers in use: one to six); a lost packet ends it.",
        "The phone's database takes 26 ms for a thousand rows and 4 ms for a commit.",
        "The phone's app always runs (phone.suspend_after_us is 0).",
    ]

    /// 64 MHz: nRF52832 Product Specification, CPU. Assumed: in code whose cycles were not measured, an instruction takes 1.5
    /// cycles on average. In the measured parts of a tap, the average is higher (`tapline lab table`), because the flash has two
    /// wait states. `CoreTiming` names the sources of the emulator's cycles.
    private static let cortexM4 = Processor(clockHertz: 64_000_000, cyclesPerInstruction: 1.5)

    /// Winbond W25Q32FV datasheet, AC electrical characteristics, typical and maximum: tBP1 30 us, 50 us; tBP2 2.5 us, 12 us; tPP
    /// 0.7 ms, 3 ms; tSE (4 KB) 45 ms, 400 ms. tSUS is at most 20 us. It is also the shortest time from a Resume (7Ah) to the
    /// next Suspend (75h). The nRF52832's SPI sends at most 8 bits in a microsecond.
    private static let serialFlash = FlashCost(
        busHertz: 8_000_000,
        program: FlashCost.Program(
            firstByte: FlashCost.Length(typical: Microseconds(30), maximum: Microseconds(50)),
            nextByteNanoseconds: (2_500, 12_000),
            page: FlashCost.Length(typical: Microseconds(700), maximum: .milliseconds(3))),
        sectorErase: FlashCost.Length(typical: .milliseconds(45), maximum: .milliseconds(400)),
        eraseSuspend: FlashCost.EraseSuspend(latency: Microseconds(20), betweenSuspends: Microseconds(20)))

    /// The PineTime's XT25F32B. For the smaller XT25F08B-S, XTX gives 0.4 ms to program a page and 70 ms to erase a sector.
    /// Assumed: the XT25F32B takes these times. Assumed: its maximum times, and its time for a page's first byte, are those of
    /// the W25Q32FV. Each later byte takes 1.45 us, so a page takes 0.4 ms.
    private static let sharedFlash: FlashCost = {
        var flash = serialFlash
        flash.program.nextByteNanoseconds.typical = 1_450
        flash.program.page.typical = Microseconds(400)
        flash.sectorErase.typical = .milliseconds(70)
        return flash
    }()

    /// A pin switches the motor, without a bus. Assumed: the wearer feels the motor after 20 ms. A linear actuator's rise
    /// time is 10 to 30 ms.
    private static let hapticDriver = HapticCost(busWrite: .zero, start: .zero, rise: .milliseconds(20))

    /// Hynitron CST816S register description: NorScanPer (0xEE), unit 10 ms, default 1; AutoSleepTime (0xF9), unit 1 s, default
    /// 2. After 2 s without a touch, the controller enters low power and responds later (InfiniTime, pull request 542). No
    /// document gives the scan interval in low power: LpScanFreq (0xF7), default 7, has no unit. Assumed: 40 ms, which is
    /// shorter than a tap. The two addresses and seven bytes of a report take 210 us over I2C at 400 kHz. The interrupts before
    /// and after them take 5 us.
    private static let touchController = TouchCost(
        scanInterval: .milliseconds(10), report: Microseconds(215),
        rest: TouchCost.Rest(after: .seconds(2), scanInterval: .milliseconds(40)))

    /// Tapline's own parameters: an interval of 12 x 1.25 ms without latency while the wearer uses the watch. After 5 s without
    /// an input or a message, 24 to 36 x 1.25 ms with a latency of 3. The supervision timeout is 6 s (`ConnectionParameters` and
    /// `ConnectionParameterPolicy`). Assumed: the phone's controller chooses the longest interval of the slow range.
    ///
    /// Packets have the maximum data length of 251 bytes (Bluetooth Core Specification 5.4, volume 6, part B, section 2.4), at
    /// 1 Mbit/s. Assumed: an event carries three packets in each direction, which fit into the 7.5 ms that nRF Connect gives an
    /// event. Controllers in use carry one to six. Assumed: credits for ten frames, more than Tapline's limit of eight messages
    /// without an acknowledgement.
    private static let lowEnergy = RadioCost(
        interval: .milliseconds(15), latency: 0, packetBytes: 251, packetsPerEvent: 3, credits: 10,
        supervisionTimeout: .seconds(6),
        rest: RadioCost.Rest(after: .seconds(5), interval: .milliseconds(45), latency: 3))

    /// Measured with PhoneHost's own store, SQLite in WAL mode with synchronised commits, in a debug build on a virtual
    /// machine: medians of 41 runs, 3.8 ms for a check-off and 56 ms for a reload of 2,000 rows (TAPLINE_MEASURE=1 Tests/unit
    /// PhoneHost --filter StoreCostTests). Assumed: a phone is no faster. Its build is optimised, but its storage is slower.
    /// Assumed: its app is not suspended; `PhoneCost.Suspension.usual` describes a suspended app.
    private static let phoneDatabase = PhoneCost(readThousandRows: .milliseconds(26), commit: .milliseconds(4))

    /// nRF52832 Product Specification, current consumption: 58 uA/MHz, or 3.7 mA, for CoreMark from flash with the cache and
    /// DC/DC at 3 V.
    private static let processorCurrent = 3_700.0

    /// W25Q32FV datasheet, DC electrical characteristics: typically 20 mA to program a page, and 20 mA to erase a sector. An
    /// erase typically takes 45 ms.
    private static let programCurrent = 20_000.0
    private static let sectorEraseCharge = 20_000 * 45e-3

    /// Assumed: a linear actuator takes 60 mA for a click of 20 ms.
    private static let hapticCharge = 60_000 * 20e-3

    /// nRF52832 Product Specification, current consumption: 6.5 mA to receive and 7.1 mA to send at 0 dBm. A whole device with
    /// an event every 7.5 ms takes 600 uA (Espruino, issue 2635), which is 4.5 uC for each event. A byte at 1 Mbit/s takes 8
    /// us.
    private static let radioEventCharge = 4.5
    private static let radioByteCharge = 7_100 * 8e-6
}

extension PhoneCost.Suspension {
    /// 10 s is about the time that a woken app has for its task (Apple, Core Bluetooth Programming Guide, "Use Background
    /// Execution Modes Wisely"). Assumed: the wake-up takes 2.5 s, because no document gives its time. Apple's example of a slow
    /// launch takes nearly 2.5 s on an iPhone 6S Plus, and Apple's goal is 0.4 s (WWDC 2019, session 423). Android calls a hot
    /// start over 1.5 s and a cold start over 5 s excessive (Android vitals, app startup time).
    package static let usual = PhoneCost.Suspension(after: .seconds(10), wakeUp: .milliseconds(2_500))

    package static let assumption =
        "A suspended app takes 2.5 s to wake up, as the slow launch that Apple shows (WWDC 2019, session 423); launches are 0.4 to 5 s."
}
