// Written by Hardware/Watch/Graphics/generate-font: change that and run it again.
// Source: X11 misc-fixed 8x13B, as in Debian's xfonts-base. "Public domain font. Share and enjoy."

/// Glyphs as ASCII bytes of a literal; `GlyphTables` says what they mean, and why the getter looks like this.
enum TitleFontTable {
    /// 2,154 bytes.
    static var bytes: StaticString {
        @export(interface) @inline(never) get {
            """
            D\u{8}\u{1}\0}\u{3}}\u{1}B\u{7F}q\0\0DD00\u{7F}YE\0\u{7F}\u{7F}\u{18}\u{18}\u{C}\u{C}EE\u{7F}yFFAA\u{7F}sH\
            HGGD\u{1F}\u{7F}uKKFD\u{18}0\u{6}\u{C}\u{6}\u{6}\u{7F}_\u{7F}]G033MMLLF\u{1F}66\u{1F}F\u{1B}\u{E}\u{7F}wQ\
            \\PA\u{18}<\u{18}\u{C}\u{E}\u{1B}\u{7F}}\u{7F}vN\u{1F}EI8V\u{3}Y\u{7F}p\u{7F}G_ERROD\u{7F}rE?\u{1F}D\u{7F}\
            M\u{7F}FqJUUJ\u{1B}popppdpep]pn\u{8}\u{1B}W@c_c`cTcMj(jCj.j$_\0d%h\u{B}h\u{D}g~g\u{7F}gy7=eph_h`hThMkpV o_\
            (\u{7F})\0(t(u(m(~m0i\0+?+@+4+-jxj}x\u{E}x\u{4}q\u{10}1\u{5}1_1`1T1U1M\u{8}C1G5?5@545-8\02\u{C}7ml1(xpb(rY\
            0sPfz*,f^*\u{14}fx*)f[*\u{10}a\u{B}t;X\u{10}q`Zq+7c9+\u{19}ci+I\u{17}F+Fc\0+0g.,TUP,9gH,i\u{18}g,\\eD9ua@X\
            `vgxbvjxcvcx`\u{19}z-z_Pn\0/V.5uqvA\u{1B}\u{8}/\u{8}dP[p` \u{1B}w/X\\[w2\u{1C}\00\0r0tp[Z1\u{1C}\u{1C}x0x[\
            ;1\00z\u{1D}\u{1E}1\u{1E}h\u{1}1Wg|1Rgf1?Vpl`Z-3P\u{1F}838Z\u{1B}3@i}s4ins) '4'iks& w4wb\u{12}p\u{B} T4S]\
            \u{7F}55^\u{1}51]|52]\u{10}5B]f5\u{1F}!F5F6A6T^57t^18Po\u{4}8Yo\u{B}8@nvo \u{4}?\u{4}u\u{5}(\u{5}a\u{6}\
            \u{18}\u{6}O\u{7}\0\u{7}.\u{7}`\u{8}\u{13}\u{8}C\u{8}t\u{9}%\u{9}_\u{A}\u{1B}\u{A}Q\u{B}\u{11}\u{B}E\u{C}\
            \u{11}\u{C}I\u{D}\u{1}\u{D}8\u{D}w\u{E}1\u{E}l\u{F}\u{C}\u{F}(\u{F}J\u{F}n\u{10}\u{4}\u{10} \u{10}C\u{10}^\
            \u{A}~\0\u{19}S]\0G\u{C}bb>\0\u{1B}\u{1B}J}J}\u{1B}^\u{4}\u{1F}U4<\u{1F}r\u{7F}EU\u{1F}\u{4}NN\u{7F}i;ZL\
            \u{7F}[vQ6I\u{1E}^\u{1E}Q3[\u{1}S,YK]K\u{C}\u{6}40\u{18}LZ\u{6}LX6E\u{4}\u{4}J\u{E}j\u{11}%EL??L+ME<\u{1C}\
            \u{1C}X\u{D}n?\u{1B}MIh\u{18}.@Pp\u{18}G \u{1E}jOFd-\u{C}\u{1C}<`L?&cApXJ6JA\u{3}\u{6}\u{F}gTF\u{3}\u{7}\
            \u{F}\u{1B}^J\u{3}\u{3}\u{3}.JG?NgT6\u{F}\u{18}G?NFm&JP\u{3}Z`\u{1E}cTO\u{1F}>\u{1F}QFQ[P\u{3}\u{1E}+Eh\
            \u{18}Eh\u{18};Eh\u{18}\0<\u{1C}\u{1C}X-\0pXi\u{6}\u{3}\u{15}M?w-\00i\u{6}pX.cA\u{3}Z\0Z^\0\u{1F}JQe\u{7F}\
            t\u{7F}te8[&\u{E}\u{1F}WJO.?RH\u{1F}t?.\u{1F}NDSDm\u{1E}?tt?&J]>SJ&J]>S0\u{1E}c]Qa\u{16}OJu\u{1B}<VV<&CPPP\
            a>F36<<63F\u{16}SS{.F\u{7F}{JUu>FNNkeQQF\u{1E}\u{1F}OO\u{1F}\u{1E}?O?S.\u{1F}OWe\u{1F}A.?W?>^F&c0\u{1F}Pa\
            \u{1D}?``\u{C}\u{16}OOT.O\u{11}\u{1B}d\u{E}\u{4}\u{1E}OF|}.F\u{1B}dj\u{1B}F-^3\u{1E}\u{1E}`\u{C}.JPp\u{18}\
            GJ$>SS0>6 Gi\u{6}\u{3}P@4>ZZZZ\u{6}>\u{16}\u{4}jD\u{E}sJ\u{B}0i.I\u{1F}A[Ff.]7NWN7&I\u{1F}N]m&g\\QWf&IcJ0T\
            .\u{F}HK\u{18}?V>I[^3\u{1E}<\u{1F}T\u{1E}]7Nu#\0K\0o<6\0P\0CPPa>]36<<63D\u{13}oV<&I\u{1B}J|W\u{1E}I7Nu\
            \u{1E}I\u{1F}OT6I7NWN7G.I\\QWfP&I7NS0.Ix\u{18}\u{E}\u{3}T.V?K\u{18}H\u{F}\u{16}Iuf\u{1E}IO\u{1B}d\u{1E}IW|\
            }&IFd\u{1B}F&IOfAT&IJpXJ=\u{F}Ki8\u{C}K\u{18}\u{F}\u{11}SSG=<ZY\u{7}\u{C}Z\u{6}<&\0\u{7F}\\J'\u{A}~\0\
            \u{19}G\0S]E\0\u{4}\u{1F}5445\u{1F}\u{4}F\u{F}HK?Kh\u{7F}o86ED}\u{11}\u{1B}JD=^3\u{1E}\u{1E}?\u{C}?L\u{11}\
            SESE\u{1E}30\u{1E}^\u{1E}\u{3}3\u{1E}\u{4}b^x\u{7F}n\u{7F}z\u{7F}x\u{7F}z\u{7F}nT4<\u{6}>&>\0>>Ey\u{1B}6,6\
            \u{1B}y-M??\u{1}\u{1}\u{1}\u{C}n>^x\u{7F}n\u{7F}j\u{7F}n\u{7F}l\u{7F}jT\u{D}~?\u{15}\u{1E}^\u{1E}-EL?L\0?#\
            8,\u{C}X<#8,i,8\u{B}\u{C}X.Iu\u{7F}{?Gv\u{7F}O\u{7F}^vvv\u{7F}^\u{7F}NBBBC\u{9}MG#Mn\u{C}$\u{18}\u{1B}\
            \u{18}8Kh4\u{1C}>\">\u{1C}\0>>E6\u{1B}yzy\u{1B}6N\u{18}8K\u{7F}XkCzrAF\u{18}8K\u{1F}kA\u{3}\u{6}rN8,i\
            \u{7F}lNCzrA-L\0LX^\u{1E}\u{D}n?'nJ_M \u{12}X8\u{10}\u{12}\u{10}8X&H3\u{7F}{\u{11}&\u{11}\u{7F}{H3,I\u{1C}\
            >>>\u{1C}7_ll_I  N\0\u{F}H\u{18}>\u{18}>\u{18}H\u{F}v\0J\u{7F}`\u{7F}a\u{7F}b\u{7F}d\u{7F}d\u{7F}h{6~T\0cG\
            QT.\00?W?]6[b67bb[>\u{1F}NS0m\u{6}\u{12}\u{C}>\0?RHkRH?6\u{18}?\u{18}\u{1B}\\tHO\u{E}\u{1F}WJO\u{3}A_M .wF\
            ?>^D.EJG>]JFEDNNkeQQD&\u{3}\u{6}SG{\u{1E}ESG{6~\u{6}\u{9}\u{6}OFT\u{1E}EOFT5E^3\u{1E}\u{1E}L\u{C}.wRkRH?3~\
            K\0<VK<3~\u{C}\u{18}\0oK<\u{1E}wtR?7RJR[tn \u{1D}w`L\u{C}6IJq0>0{.IJG>GJ>IDNkUeQD>I36<<63D\u{1E}IWJW>\0@\
            \u{1F}Q||m 6E\u{1F}NDGDm&ExGQa\u{1E}E\u{1F}Oa\u{16}IOa>E\u{1F}N]m\u{6}\u{12}\u{C}.Ex0\u{1F}PT\u{1B}I<Vh\
            \u{13}Ioh%I3\u{12}\u{1E}`&E\u{E}cJW\u{7F}I\u{7F}[lle6l\u{7F}[MI  E >I\u{1B}lz\u{1F}6l\u{1B}\u{13}Mo<&MJp\
            \u{18}J&\u{F}HKo\u{18}6EK?K\u{18}H\u{F}&I\u{E}cJF.d\u{1E}\u{3}[O\u{1F}GArP\\QFfM NK\u{1A}\u{1E}\u{1C}88\
            \u{18}\u{7F}X[&Mx\u{1C}\u{7}TWI\u{1F}A[Ff\u{3}A_M .Eg\\QDfM\u{1C}\u{C}\u{D}\u{F}\u{E}\u{1C}<,\u{C}\u{1E}\
            \u{1E}ICga&ICPga$E\u{1E}`L\u{1E}$E\u{1C}`L\u{1E}$I\u{1C}`\u{C}\u{1E}\u{1C}M\u{1C}`\u{1E}\u{D}~^\u{14}~6\
            \u{1C}\u{15}~!\u{1E}\u{4}b\u{14}~\u{1C}6\u{16}~H3\u{14}~\u{1A},\u{A}0\u{18}\u{6}T\u{5}?>[>b6\0b6e\u{9}\0G\
            \u{2}X\u{C}\u{1C}6\u{E}H3\u{14}\0\"\u{1C}\u{1E}~j\0D\u{14}\0\u{1A},\u{5}w\u{D}I3#\0K\0o\u{C}.rPPPgTNE@\0\
            \u{2}\u{4}\u{4}\u{4}\u{8}\0 \u{A}sX\u{15}~\u{1B}\u{1B}\u{1A}~\u{18}\u{8}\u{10}\u{D}~d\u{15}~\u{11}\u{E}\
            \u{D}\u{1B}\u{1B}\u{D}~j\u{15}~\u{D}\u{16}\u{5}d\u{5}\u{1F}\u{D}\u{11}\u{E}\u{B}\u{C}\u{18}\u{5}j\u{D}\
            \u{D}\u{16}\u{D}\0d\u{D}\0\u{1F}\u{E}\0[\u{D}\0j\u{B}si\u{14}~\u{C}\u{6}\u{14}~Y\u{E}\u{C}~Y\u{1D}~\u{6}\
            \u{9}\u{6}\u{C}\u{C}\u{6}\u{4}Y\u{E}\u{7}y\u{15}\u{6}\u{9}\u{6}\u{1B}ELIL\u{C}\0YN\u{3}z\0\u{6}\u{B}\u{3}\
            \u{3}\u{3}\u{3}\u{3}\u{15}s\u{C}\u{F}\u{C}sY\u{C}~Z\u{4}Z\u{15}~\u{3}\u{6}\u{C}\0Z\u{D}\u{3}\u{6}\u{1B}n\
            \u{4}\0\u{4}\u{16}sA\u{7}6EA\u{3}\u{3}\u{3}g\u{3}\u{15}I\u{3}\u{3}
            """
        }
    }
}
