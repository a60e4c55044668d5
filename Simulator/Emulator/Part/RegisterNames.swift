package struct UnmodelledAccess: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        case read, write
        /// An EasyDMA transfer that is not entirely in RAM.
        case transfer
    }

    package let address: UInt32
    package let kind: Kind
    /// The cycle of the first access of this kind to the address.
    package let cycle: UInt64
    /// The address of the instruction that made the access. For a transfer, the address of the last instruction that accessed a
    /// register.
    package let programCounter: UInt32

    /// For example "COMP.ENABLE", or "TIMER2+0x5F0" if the register has no name.
    package var name: String { RegisterNames.name(of: address) }
}

/// The names of the chip's peripherals and registers.
///
/// Source: nRF52832 Product Specification v1.4, chapter 8 (instantiation), and each peripheral's list of registers.
enum RegisterNames {
    /// The addresses of undocumented registers that start-up code and drivers access to work around errata. Reads give 0, and
    /// writes do nothing.
    static let stubs: Set<UInt32> = [
        0x4000_053C, 0x4000_05A0, 0x4000_0EE4, 0x4000_173C, 0x4000_1774, 0x4001_3540,
    ]

    static func isStub(_ address: UInt32) -> Bool { stubs.contains(address) }

    /// Whether the address is in the peripherals' address ranges.
    static func isOnBus(_ address: UInt32) -> Bool {
        address &- 0x4000_0000 < 0x8_0000 || address &- 0x5000_0000 < 0x1000
    }

    /// A line for each peripheral: its name, the base addresses of its instances, and its registers with their offsets.
    /// "NAME[8]/16:510" is eight registers from offset 0x510, one every 16 bytes.
    private static let text = """
        CLOCK 40000000 TASKS_HFCLKSTART:000 TASKS_HFCLKSTOP:004 TASKS_LFCLKSTART:008 TASKS_LFCLKSTOP:00C TASKS_CAL:010 \
          TASKS_CTSTART:014 TASKS_CTSTOP:018 EVENTS_HFCLKSTARTED:100 EVENTS_LFCLKSTARTED:104 EVENTS_DONE:10C EVENTS_CTTO:110 \
          INTENSET:304 INTENCLR:308 HFCLKRUN:408 HFCLKSTAT:40C LFCLKRUN:414 LFCLKSTAT:418 LFCLKSRCCOPY:41C LFCLKSRC:518 CTIV:538 \
          TRACECONFIG:55C
        POWER 40000000 TASKS_CONSTLAT:078 TASKS_LOWPWR:07C EVENTS_POFWARN:108 EVENTS_SLEEPENTER:114 EVENTS_SLEEPEXIT:118 \
          RESETREAS:400 RAMSTATUS:428 SYSTEMOFF:500 POFCON:510 GPREGRET:51C GPREGRET2:520 RAMON:524 RAMONB:554 DCDCEN:578 \
          RAM_POWER[8]/16:900
        RADIO 40001000 TASKS_TXEN:000 TASKS_RXEN:004 TASKS_START:008 TASKS_STOP:00C TASKS_DISABLE:010 TASKS_RSSISTART:014 \
          TASKS_RSSISTOP:018 TASKS_BCSTART:01C TASKS_BCSTOP:020 EVENTS_READY:100 EVENTS_ADDRESS:104 EVENTS_PAYLOAD:108 \
          EVENTS_END:10C EVENTS_DISABLED:110 EVENTS_DEVMATCH:114 EVENTS_DEVMISS:118 EVENTS_RSSIEND:11C EVENTS_BCMATCH:128 \
          EVENTS_CRCOK:130 EVENTS_CRCERROR:134 SHORTS:200 INTENSET:304 INTENCLR:308 CRCSTATUS:400 RXMATCH:408 RXCRC:40C DAI:410 \
          PACKETPTR:504 FREQUENCY:508 TXPOWER:50C MODE:510 PCNF0:514 PCNF1:518 BASE0:51C BASE1:520 PREFIX0:524 PREFIX1:528 \
          TXADDRESS:52C RXADDRESSES:530 CRCCNF:534 CRCPOLY:538 CRCINIT:53C TIFS:544 RSSISAMPLE:548 STATE:550 DATAWHITEIV:554 \
          BCC:560 DAB[8]:600 DAP[8]:620 DACNF:640 MODECNF0:650 POWER:FFC
        UARTE 40002000 TASKS_STARTRX:000 TASKS_STOPRX:004 TASKS_STARTTX:008 TASKS_STOPTX:00C TASKS_FLUSHRX:02C EVENTS_CTS:100 \
          EVENTS_NCTS:104 EVENTS_RXDRDY:108 EVENTS_ENDRX:110 EVENTS_TXDRDY:11C EVENTS_ENDTX:120 EVENTS_ERROR:124 EVENTS_RXTO:144 \
          EVENTS_RXSTARTED:14C EVENTS_TXSTARTED:150 EVENTS_TXSTOPPED:158 SHORTS:200 INTEN:300 INTENSET:304 INTENCLR:308 \
          ERRORSRC:480 ENABLE:500 PSEL_RTS:508 PSEL_TXD:50C PSEL_CTS:510 PSEL_RXD:514 BAUDRATE:524 RXD_PTR:534 RXD_MAXCNT:538 \
          RXD_AMOUNT:53C TXD_PTR:544 TXD_MAXCNT:548 TXD_AMOUNT:54C CONFIG:56C RXD:518 TXD:51C
        SPIM 40003000,40004000,40023000 TASKS_START:010 TASKS_STOP:014 TASKS_SUSPEND:01C TASKS_RESUME:020 EVENTS_STOPPED:104 \
          EVENTS_ENDRX:110 EVENTS_END:118 EVENTS_ENDTX:120 EVENTS_STARTED:14C SHORTS:200 INTENSET:304 INTENCLR:308 ENABLE:500 \
          PSEL_SCK:508 PSEL_MOSI:50C PSEL_MISO:510 FREQUENCY:524 RXD_PTR:534 RXD_MAXCNT:538 RXD_AMOUNT:53C RXD_LIST:540 \
          TXD_PTR:544 TXD_MAXCNT:548 TXD_AMOUNT:54C TXD_LIST:550 CONFIG:554 ORC:5C0 RXD:518 TXD:51C
        TWIM 40003000,40004000 TASKS_STARTRX:000 TASKS_STARTTX:008 TASKS_STOP:014 TASKS_SUSPEND:01C TASKS_RESUME:020 \
          EVENTS_STOPPED:104 EVENTS_ERROR:124 EVENTS_SUSPENDED:148 EVENTS_RXSTARTED:14C EVENTS_TXSTARTED:150 EVENTS_LASTRX:15C \
          EVENTS_LASTTX:160 SHORTS:200 INTEN:300 INTENSET:304 INTENCLR:308 ERRORSRC:4C4 ENABLE:500 PSEL_SCL:508 PSEL_SDA:50C \
          FREQUENCY:524 RXD_PTR:534 RXD_MAXCNT:538 RXD_AMOUNT:53C RXD_LIST:540 TXD_PTR:544 TXD_MAXCNT:548 TXD_AMOUNT:54C \
          TXD_LIST:550 ADDRESS:588
        NFCT 40005000
        GPIOTE 40006000 TASKS_OUT[8]:000 TASKS_SET[8]:030 TASKS_CLR[8]:060 EVENTS_IN[8]:100 EVENTS_PORT:17C INTENSET:304 \
          INTENCLR:308 CONFIG[8]:510
        SAADC 40007000 TASKS_START:000 TASKS_SAMPLE:004 TASKS_STOP:008 TASKS_CALIBRATEOFFSET:00C EVENTS_STARTED:100 \
          EVENTS_END:104 EVENTS_DONE:108 EVENTS_RESULTDONE:10C EVENTS_CALIBRATEDONE:110 EVENTS_STOPPED:114 INTEN:300 \
          INTENSET:304 INTENCLR:308 STATUS:400 ENABLE:500 CH_PSELP[8]/16:510 CH_PSELN[8]/16:514 CH_CONFIG[8]/16:518 \
          CH_LIMIT[8]/16:51C RESOLUTION:5F0 OVERSAMPLE:5F4 SAMPLERATE:5F8 RESULT_PTR:62C RESULT_MAXCNT:630 RESULT_AMOUNT:634
        TIMER 40008000,40009000,4000A000,4001A000,4001B000 TASKS_START:000 TASKS_STOP:004 TASKS_COUNT:008 TASKS_CLEAR:00C \
          TASKS_SHUTDOWN:010 TASKS_CAPTURE[6]:040 EVENTS_COMPARE[6]:140 SHORTS:200 INTENSET:304 INTENCLR:308 MODE:504 \
          BITMODE:508 PRESCALER:510 CC[6]:540
        RTC 4000B000,40011000,40024000 TASKS_START:000 TASKS_STOP:004 TASKS_CLEAR:008 TASKS_TRIGOVRFLW:00C EVENTS_TICK:100 \
          EVENTS_OVRFLW:104 EVENTS_COMPARE[4]:140 INTENSET:304 INTENCLR:308 EVTEN:340 EVTENSET:344 EVTENCLR:348 COUNTER:504 \
          PRESCALER:508 CC[4]:540
        TEMP 4000C000 TASKS_START:000 TASKS_STOP:004 EVENTS_DATARDY:100 INTENSET:304 INTENCLR:308 TEMP:508 A[6]:520 B[6]:540 \
          T[5]:560
        RNG 4000D000 TASKS_START:000 TASKS_STOP:004 EVENTS_VALRDY:100 SHORTS:200 INTENSET:304 INTENCLR:308 CONFIG:504 \
          VALUE:508
        ECB 4000E000 TASKS_STARTECB:000 TASKS_STOPECB:004 EVENTS_ENDECB:100 EVENTS_ERRORECB:104 INTENSET:304 INTENCLR:308 \
          ECBDATAPTR:504
        CCM 4000F000 TASKS_KSGEN:000 TASKS_CRYPT:004 TASKS_STOP:008 EVENTS_ENDKSGEN:100 EVENTS_ENDCRYPT:104 EVENTS_ERROR:108 \
          SHORTS:200 INTENSET:304 INTENCLR:308 MICSTATUS:400 ENABLE:500 MODE:504 CNFPTR:508 INPTR:50C OUTPTR:510 SCRATCHPTR:514
        WDT 40010000 TASKS_START:000 EVENTS_TIMEOUT:100 INTENSET:304 INTENCLR:308 RUNSTATUS:400 REQSTATUS:404 CRV:504 RREN:508 \
          CONFIG:50C RR[8]:600
        QDEC 40012000
        COMP 40013000 ENABLE:500 PSEL:504 REFSEL:508 EXTREFSEL:50C TH:530 MODE:534 HYST:538
        EGU 40014000,40015000,40016000,40017000,40018000,40019000
        PWM 4001C000,40021000,40022000 TASKS_STOP:004 TASKS_SEQSTART[2]:008 TASKS_NEXTSTEP:010 EVENTS_STOPPED:104 \
          EVENTS_SEQSTARTED[2]:108 EVENTS_SEQEND[2]:110 EVENTS_PWMPERIODEND:118 EVENTS_LOOPSDONE:11C SHORTS:200 INTEN:300 \
          INTENSET:304 INTENCLR:308 ENABLE:500 MODE:504 COUNTERTOP:508 PRESCALER:50C DECODER:510 LOOP:514 SEQ_PTR[2]/32:520 \
          SEQ_CNT[2]/32:524 SEQ_REFRESH[2]/32:528 SEQ_ENDDELAY[2]/32:52C PSEL_OUT[4]:560
        PDM 4001D000
        NVMC 4001E000 READY:400 CONFIG:504 ERASEPAGE:508 ERASEALL:50C ERASEPCR0:510 ERASEUICR:514 ICACHECNF:540 IHIT:548 \
          IMISS:54C
        PPI 4001F000 TASKS_CHG_EN[6]/8:000 TASKS_CHG_DIS[6]/8:004 CHEN:500 CHENSET:504 CHENCLR:508 CH_EEP[20]/8:510 \
          CH_TEP[20]/8:514 CHG[6]:800 FORK_TEP[32]:910
        MWU 40020000
        I2S 40025000
        FPU 40026000
        GPIO 50000000 OUT:504 OUTSET:508 OUTCLR:50C IN:510 DIR:514 DIRSET:518 DIRCLR:51C LATCH:520 DETECTMODE:524 \
          PIN_CNF[32]:700
        """

    struct Block {
        let name: Substring
        let bases: [UInt32]
        let registers: [(name: String, offset: UInt32)]

        init(_ line: Substring) {
            let words = line.split(separator: " ")
            name = words[0]
            bases = words[1].split(separator: ",").compactMap { UInt32($0, radix: 16) }
            registers = words.dropFirst(2).flatMap { word -> [(name: String, offset: UInt32)] in
                let parts = word.split(whereSeparator: { "[]/:".contains($0) })
                let offset = parts.last.flatMap { UInt32($0, radix: 16) } ?? 0
                guard parts.count > 2, let count = UInt32(parts[1]) else { return [(String(parts[0]), offset)] }
                let stride = parts.count > 3 ? UInt32(parts[2]) ?? 4 : 4
                return (0..<count).map { ("\(parts[0])[\($0)]", offset &+ $0 &* stride) }
            }
        }

        func instance(_ index: Int) -> String { bases.count > 1 ? "\(name)\(index)" : String(name) }
    }

    static let blocks = text.split(separator: "\n").map(Block.init)
    static let registers = blocks.flatMap { block in
        block.bases.indices.flatMap { index in
            block.registers.map {
                (name: "\(block.instance(index)).\($0.name)", address: block.bases[index] &+ $0.offset)
            }
        }
    }

    static func name(of address: UInt32) -> String {
        if let register = registers.first(where: { $0.address == address }) { return register.name }
        func digits(_ word: UInt32) -> String { "0x" + String(word, radix: 16, uppercase: true) }
        for block in blocks {
            guard let index = block.bases.firstIndex(of: address & ~0xFFF) else { continue }
            return "\(block.instance(index))+\(digits(address & 0xFFF))"
        }
        return digits(address)
    }
}
