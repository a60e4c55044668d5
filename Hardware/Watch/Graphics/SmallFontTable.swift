// Written by Hardware/Watch/Graphics/generate-font: change that and run it again.
// Source: X11 misc-fixed 6x10, as in Debian's xfonts-base. "Public domain font. Share and enjoy."

/// Glyphs as ASCII bytes of a literal, seven pixels each; `Font` says why, and why the getters look like this.
enum SmallFontTable {
    /// The advance of each glyph in pixels, the gap to the next one included. 96 bytes.
    static var widths: StaticString {
        @export(interface) @inline(never) get {
            """
            \u{3}\u{2}\u{4}\u{6}\u{6}\u{6}\u{6}\u{2}\u{4}\u{4}\u{6}\u{6}\u{4}\u{6}\u{4}\u{6}\u{6}\u{6}\u{6}\u{6}\u{6}\
            \u{6}\u{6}\u{6}\u{6}\u{6}\u{4}\u{4}\u{5}\u{6}\u{5}\u{6}\u{6}\u{6}\u{6}\u{6}\u{6}\u{6}\u{6}\u{6}\u{6}\u{4}\
            \u{6}\u{6}\u{6}\u{6}\u{6}\u{6}\u{6}\u{6}\u{6}\u{6}\u{6}\u{6}\u{6}\u{6}\u{6}\u{6}\u{6}\u{4}\u{6}\u{4}\u{6}\
            \u{6}\u{3}\u{6}\u{6}\u{6}\u{6}\u{6}\u{6}\u{6}\u{6}\u{4}\u{5}\u{6}\u{4}\u{6}\u{6}\u{6}\u{6}\u{6}\u{6}\u{6}\
            \u{6}\u{6}\u{6}\u{6}\u{6}\u{6}\u{6}\u{5}\u{2}\u{5}\u{6}\u{6}
            """
        }
    }

    /// The leftmost 7 pixels of each glyph: 10 bytes, top to bottom, bit 6 leftmost. 960 bytes.
    static var rows: StaticString {
        @export(interface) @inline(never) get {
            """
            \0\0\0\0\0\0\0\0\0\0\0@@@@@\0@\0\0\0PPP\0\0\0\0\0\0\0((|(|((\0\0\0\u{10}8P8\u{14}8\u{10}\0\0\0$T(\u{10}(TH\
            \0\0\0 PP TH4\0\0\0@@@\0\0\0\0\0\0\0\u{10} @@@ \u{10}\0\0\0@ \u{10}\u{10}\u{10} @\0\0\0\0D(|(D\0\0\0\0\0\
            \u{10}\u{10}|\u{10}\u{10}\0\0\0\0\0\0\0\0\00 @\0\0\0\0\0|\0\0\0\0\0\0\0\0\0\0\0 p \0\0\u{4}\u{4}\u{8}\
            \u{10} @@\0\0\0\u{10}(DDD(\u{10}\0\0\0\u{10}0P\u{10}\u{10}\u{10}|\0\0\08D\u{4}\u{18} @|\0\0\0|\u{4}\u{8}\
            \u{18}\u{4}D8\0\0\0\u{8}\u{18}(H|\u{8}\u{8}\0\0\0|@Xd\u{4}D8\0\0\0\u{18} @XdD8\0\0\0|\u{4}\u{8}\u{8}\u{10}\
              \0\0\08DD8DD8\0\0\08DL4\u{4}\u{8}0\0\0\0\0 p \0 p \0\0\0 p \00 @\0\0\u{8}\u{10} @ \u{10}\u{8}\0\0\0\0\0|\
            \0|\0\0\0\0\0@ \u{10}\u{8}\u{10} @\0\0\08D\u{8}\u{10}\u{10}\0\u{10}\0\0\08DLTX@8\0\0\0\u{10}(DD|DD\0\0\0x$\
            $8$$x\0\0\08D@@@D8\0\0\0x$$$$$x\0\0\0|@@x@@|\0\0\0|@@x@@@\0\0\08D@@LD8\0\0\0DDD|DDD\0\0\0p     p\0\0\0\
            \u{1C}\u{8}\u{8}\u{8}\u{8}H0\0\0\0DHP`PHD\0\0\0@@@@@@|\0\0\0DDlTDDD\0\0\0DDdTLDD\0\0\08DDDDD8\0\0\0xDDx@@@\
            \0\0\08DDDDT8\u{4}\0\0xDDxPHD\0\0\08D@8\u{4}D8\0\0\0|\u{10}\u{10}\u{10}\u{10}\u{10}\u{10}\0\0\0DDDDDD8\0\0\
            \0DDD(((\u{10}\0\0\0DDDTTlD\0\0\0DD(\u{10}(DD\0\0\0DD(\u{10}\u{10}\u{10}\u{10}\0\0\0|\u{4}\u{8}\u{10} @|\0\
            \0\0p@@@@@p\0\0\0@@ \u{10}\u{8}\u{4}\u{4}\0\0\0p\u{10}\u{10}\u{10}\u{10}\u{10}p\0\0\0\u{10}(D\0\0\0\0\0\0\
            \0\0\0\0\0\0\0\0|\0@ \0\0\0\0\0\0\0\0\0\0\08\u{4}<D<\0\0\0@@XdDdX\0\0\0\0\08D@D8\0\0\0\u{4}\u{4}4LDL4\0\0\
            \0\0\08D|@8\0\0\0\u{18}$ x   \0\0\0\0\0<DD<\u{4}D8\0@@XdDDD\0\0\0 \0`   p\0\0\0\u{8}\0\u{18}\u{8}\u{8}\
            \u{8}HH0\0@@DHpHD\0\0\0`     p\0\0\0\0\0hTTTD\0\0\0\0\0XdDDD\0\0\0\0\08DDD8\0\0\0\0\0XdDdX@@\0\0\04LDL4\
            \u{4}\u{4}\0\0\0Xd@@@\0\0\0\0\08@8\u{4}x\0\0\0  x  $\u{18}\0\0\0\0\0DDDL4\0\0\0\0\0DD((\u{10}\0\0\0\0\0DDT\
            T(\0\0\0\0\0D(\u{10}(D\0\0\0\0\0DDL4\u{4}D8\0\0\0|\u{8}\u{10} |\0\0\0\u{18} \u{10}`\u{10} \u{18}\0\0\0@@@@\
            @@@\0\0\0`\u{10} \u{18} \u{10}`\0\0\0$TH\0\0\0\0\0\0\0|DLTTd|\0\0
            """
        }
    }

    /// Glyphs of more than 7 pixels: the glyph's index (two bytes of 7 bits), then 10 bytes as in `rows`. 0 bytes.
    static var wide: StaticString {
        @export(interface) @inline(never) get {
            """

            """
        }
    }
}
