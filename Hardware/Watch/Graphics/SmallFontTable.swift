// Written by Hardware/Watch/Graphics/generate-font: change that and run it again.
// Source: X11 misc-fixed 6x10, as in Debian's xfonts-base. "Public domain font. Share and enjoy."

/// Glyphs as ASCII bytes of a literal; `GlyphTables` says what they mean, and why the getter looks like this.
enum SmallFontTable {
    /// 625 bytes.
    static var bytes: StaticString {
        @export(interface) @inline(never) get {
            """
            D\u{5}\0n\0n\0`\0\0\"\"  D\0\u{8}\u{8}E\"\u{8}\u{10}\0\u{1C}F \"\u{1C}\0>\u{10}\u{10}K\",2\u{10}8\0F\u{14}\
            \u{8}\u{10}\u{8}\u{4}J\0\u{8}G\u{1C}DD&\u{1A}\u{2}M\0ER\u{10}** \u{1C}\u{12}\u{12}\u{10} \u{4}\u{4}\u{2}\
            \u{2}\0<\0\u{C}W\u{14}V T\u{14}ORN\u{2}KEHHGQGED]>\u{14}*$$\"\0I\08\00\0 \u{1}\u{6}\u{1}1\u{1}W\u{2}\u{4}\
            \u{2}*\u{2}U\u{3}\0\u{3}(\u{3}J\u{3}w\u{4} \u{4}H\u{1}\0\u{A}SLv\u{11}\0(((\u{1D}\0\u{14}\u{14}pp\u{14}\"W\
            \u{1C}(\u{1C}\u{A}\u{1C}\u{8}\u{18}\0\u{12}*hq\"\0\u{10}((\u{10}q\u{1A}\u{5}\0L\u{11}\0JLU\u{16}v\u{10}HJ \
            \u{18}D\"\u{14}p\"\u{13}DH>H\u{11}YD\u{18}a\u{9}Y>\u{7}Yo\u{13}\0cVF\u{E}fIT\u{1D}W\u{18}(H\u{8}>\u{18}P\
            \u{2}\u{C}a>\u{13}j\u{4}\u{C}[\"\0\u{4}\u{C}\u{14}$>b\u{13}N Q[\u{13}eaQM\u{13}j\u{4}V\u{10}\u{13}k\u{1C}E\
            \u{1C}\u{18}PZ\u{2}\u{4}\u{18}\u{C}o\0]\u{11}o\0\u{18}a\u{12}\0gU\u{4}\u{E}G>N\u{D}vUg\u{13}P\u{4}HW\u{18}\
            P&*,_\u{13}fE>E\u{18}d`\u{1C}`<\u{E}PLM\u{18}d``\u{12}<\u{18}NF<F>\u{13}NF<L\u{13}PF&M\u{E}s>I\u{C}tOi\
            \u{1D}\0\u{E}bb$\u{18}\"\0\"$(0(r\u{13}SFF>\u{13}\\6*I\u{18}\\2*&E\u{E}kI\u{1C}\u{13}dE<L\u{18}kE*\u{1C}\
            \u{2}\u{18}dE<(r\u{E}P_[\u{E}NlH\u{13}\\EE\u{1C}\u{13}s\u{14}\u{14}T\u{13}s^6\"\u{E}\\hE\u{E}\\\u{14}l\
            \u{E}jg>\u{11}tFL8\u{13}SU\u{4}c\u{11}tl\u{8}8\u{9}f\"\u{E}YY>\u{6} \u{10}\u{18}X\u{2}\u{1E}\"\u{1E}\u{18}\
            SQ\"2,\u{13}X\" M\u{1D}\0c\u{1A}&\"Z\u{13}X\">_\u{1D}e\u{12}\u{10}<O\u{10}\u{18}G\u{1E}E\u{1E}[\u{E}SQI\
            \u{11}\0\u{10}ui&\0\u{4}eb\u{4}$$\u{18}\u{18}S\"$8r\u{C}uOi\u{18}G4^*\"\u{9}mI\u{E}XI\u{1C}\u{18}m\"2,F\
            \u{1D}G\u{1A}&\"Zc\u{9}mL\u{13}X_\u{2}<\u{1D}\0O<O\u{12}\u{C}\u{E}GIZ\u{E}n\u{14}T\u{E}n^\u{14}\u{13}G\"h\
            \"\u{E}nZ[\u{13}G>V>\u{17}eU0J\u{C}\u{A}SFL\u{17}uJ\u{C}U0\u{E}\0\u{12}q\u{1D}N\"&^2>
            """
        }
    }
}
