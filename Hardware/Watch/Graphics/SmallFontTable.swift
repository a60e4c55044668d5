// Written by Hardware/Watch/Graphics/generate-font: change that and run it again.
// Source: X11 misc-fixed 6x10, as in Debian's xfonts-base. "Public domain font. Share and enjoy."

/// Glyphs as ASCII bytes of a literal; `GlyphTables` says what they mean, and why the getter looks like this.
enum SmallFontTable {
    /// 591 bytes.
    static var bytes: StaticString {
        @export(interface) @inline(never) get {
            """
            D\u{5}\u{1}\0[\0[\0`\"\"  \0\0\u{8}\u{8}D\"\u{8}\u{10}E \"\u{1C}\u{1C}\"\u{10}\u{10},2\u{10}8\u{14}\u{8}\
            \u{10}\u{8}\u{4}I&\u{1A}\u{2}KO\u{10}F\0** \u{1C}\u{1C}D\u{12}\u{12}\u{10} \u{4}\u{4}\u{2}\u{2}R P\u{14}MO\
            GGFVFNFDF\u{1C}EJ>\u{14}>\u{2}*$$\"\u{8}\u{14}\0U\0s\u{1}\u{1A}\u{1}=\u{1}i\u{2}\u{E}\u{2}9\u{2}b\u{3}\
            \u{A}\u{3}+\u{3}X\u{4}\u{1}\u{4}(\u{6}~\0\u{A}f\0 \u{C}(((\u{18}\u{14}\u{14}gg\u{14}\"\u{8}\u{1C}(\u{1C}\
            \u{A}\u{1C}\u{8}\u{13}\u{12}*_i\u{1D}\u{10}((\u{10}i\u{1A}\0J\u{C}IJQ\u{16} \u{10}GI \u{18}\0\"\u{14}g\"\
            \u{13}\0G>G\u{C}b\u{18}[\u{9}V>\u{7}bU\u{E}]RE\u{E}kHP\u{1D}\u{8}\u{18}(G\u{8}>\u{18}L\u{2}\u{C}[>\u{13}h\
            \u{4}\u{C}T\u{1D}\u{4}\u{C}\u{14}$>\\\u{13}> NT\u{13}\u{C}[NK\u{13}h\u{4}R\u{10}\u{E}YY\u{1C}\u{18}LS\u{2}\
            \u{4}\u{18}\u{7}ll\u{11}l\0\u{18}[\u{D}^Q\u{4}\u{13}F>\0>\u{D} Q^\u{18}L\u{4}G\0\u{8}\u{18}L&*,X\u{13}kD>D\
            \u{18}<Z\u{1C}Z<\u{E}LJK\u{18}<ZZ\u{12}<\u{18}>E<E>\u{13}>E<J\u{13}LE&K\u{E}H>H\u{C}8M`\u{18}\u{E}\\\\$\
            \u{18}\u{1D}\"$(0(j\u{13}EEE>\u{13}D6*H\u{18}D2*&D\u{E}YH\u{1C}\u{13}<D<J\u{18}YD*\u{1C}\u{2}\u{18}<D<(j\
            \u{E}LXT\u{E}>aG\u{13}DDD\u{1C}\u{13}H\u{14}\u{14}P\u{13}HW6\"\u{E}D_D\u{E}D\u{14}a\u{E}h^>\u{C}8f8\u{13}E\
            Q\u{4}]\u{11}8a\u{8}8\u{9}k\"\u{E}Fb>\u{B}~ \u{10}\u{18}e\u{2}\u{1E}\"\u{1E}\u{18}EN\"2,\u{13}FL K\u{18}]\
            \u{1A}&\"S\u{13}FL>X\u{1D}\u{C}\u{12}\u{10}<M\u{10}\u{18}F\u{1E}D\u{1E}T\u{E}ENH\u{11}\u{10}\00`&\u{4}\0\
            \u{C}\\\u{4}$$\u{18}\u{18}E\"$8j\u{C}0M`\u{18}F4W*\"\u{9}cH\u{E}eH\u{1C}\u{18}c\"2,E\u{1D}F\u{1A}&\"S]\
            \u{9}cJ\u{13}eX\u{2}<\u{18}M<M\u{12}\u{C}\u{E}FHS\u{E}d\u{14}P\u{E}dW\u{14}\u{13}F\"_\"\u{E}dST\u{13}F>R>\
            \u{17}\u{C}Q0I\u{C}\u{5}Ef\u{17}0I\u{C}Q0\u{9}\u{12}i\u{1D}>\"&W2>
            """
        }
    }
}
