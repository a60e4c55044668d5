// Written by Hardware/Watch/Graphics/generate-font: change that and run it again.
// Source: X11 misc-fixed 8x13B, as in Debian's xfonts-base. "Public domain font. Share and enjoy."

/// Glyphs as ASCII bytes of a literal; `GlyphTables` says what they mean, and why the getter looks like this.
enum TitleFontTable {
    /// 2,235 bytes.
    static var bytes: StaticString {
        @export(interface) @inline(never) get {
            """
            D\u{8}\0~\u{3}~\u{1}B\u{7F}q\0\0DDEE00\u{7F}Y\u{7F}\u{7F}\u{18}\u{18}E\0\u{C}\u{C}\u{7F}yFFAA\u{7F}sIIHHD\
            \u{1F}\0\u{1F}\u{7F}uKKFD\u{18}0\u{6}\u{C}\u{6}\u{6}\u{7F}_\u{7F}]H0GG33MMF\u{1F}66\u{1B}\u{E}\0?\u{7F}wQ]\
            PA\u{18}<\u{18}\u{C}\u{E}\u{1B}\08\u{7F}}\u{7F}v_LN\u{1F}\u{3}Z\0J\u{7F}p\u{7F}GUFRR\u{7F}rODG\u{1F}\0S\
            \u{7F}M\u{7F}FsJlWpopppdpep]pn\u{8}\u{1B}W@c_c`cTcMj(jCj.j$_\0d%h\u{B}h\u{D}g~g\u{7F}gy7=eph_h`hThMkpV o_(\
            \u{7F})\0(t(u(m(~m0i\0+?+@+4+-jxj}x\u{E}x\u{4}q\u{10}1\u{5}1_1`1T1U1M\u{8}C1G5?5@545-8\02\u{C}7ml1(xpb(rY0\
            sPfz*,f^*\u{14}fx*)f[*\u{10}a\u{B}t;X\u{10}q`Zq+7c9+\u{19}ci+I\u{17}F+Fc\0+0g.,TUP,9gH,i\u{18}g,\\eD9ua@X`\
            vgxbvjxcvcx`\u{19}z-z_Pn\0/V.5uqvA\u{1B}\u{8}/\u{8}dP[p` \u{1B}w/X\\[w2\u{1C}\00\0r0tp[Z1\u{1C}\u{1C}x0x[;\
            1\00z\u{1D}\u{1E}1\u{1E}h\u{1}1Wg|1Rgf1?Vpl`Z-3P\u{1F}838Z\u{1B}3@i}s4ins) '4'iks& w4wb\u{12}p\u{B} T4S]\
            \u{7F}55^\u{1}51]|52]\u{10}5B]f5\u{1F}!F5F6A6T^57t^18Po\u{4}8Yo\u{B}8@nvo \u{4}@\u{4}z\u{5}0\u{5}m\u{6}%\
            \u{6}]\u{7}\u{14}\u{7}G\u{7}\u{7F}\u{8}4\u{8}e\u{9}\u{19}\u{9}K\u{A}\u{A}\u{A}J\u{B}\u{2}\u{B}H\u{C}\u{1}\
            \u{C}N\u{D}\u{7}\u{D}A\u{D}{\u{E}=\u{E}}\u{F}9\u{F}V\u{F}v\u{10}\u{19}\u{10}9\u{10}S\u{10}k\u{11}\u{13}\
            \u{11}/\u{2}\0\u{19}z^\0H\u{14}\0ccNE\u{1B}\u{1B}JJ\u{1B}JJ\u{1B}\u{1B}f\0\u{4}\u{1F}V4<\u{1F}t\u{7F}EV\
            \u{1F}\u{4}V\0N\u{7F}i;[M\u{7F}[wQ6G\u{1E}`\u{1E}Q3\\\u{1}z4\0ZK^K\u{C}\u{6}<\00\u{18}M[\u{6}MY6L\u{4}\
            \u{4}J\u{E}k\u{11}%LM??M+GL<\u{1C}\u{1C}Y\u{15}GE?\u{13}_i\u{18}6\0@Pq\u{18}H &\0kOFd5\0\u{C}\u{1C}<aM?&uA\
            qYJ6rA\u{3}\u{6}\u{F}hTN\0\u{3}\u{7}\u{F}\u{1B}`J\u{3}\u{3}\u{3}.rH?NhT>\0\u{F}\u{18}H?NFp&rP\u{3}[a\u{1E}\
            uTO\u{1F}>UQFQ\\P\u{3}\u{1E}+Li\u{18}Ei\u{18};Li\u{18}\0<\u{1C}\u{1C}Y-EqYj\u{6}\u{3}\u{1D}GeE?-E0j\u{6}qY\
            .uA\u{3}[\0[^E\u{1F}JQf\u{7F}t\u{7F}tf8\\.\0\u{E}\u{1F}XJO.eRI\u{1F}v?.UNDSDp\u{1E}evv?&r^>SJ&r^>S0\u{1E}u\
            ^Qb\u{1E}\0OJx#\0<WW<.\0CPPPbF\0F36<<63F\u{16}zS}6\0F\u{7F}{JVxF\0FNNmfQQF\u{1E}UOO\u{1F}\u{1E}eO?S.UOXf\
            \u{1F}A.eX?>`F&u0\u{1F}Pb\u{1D}eaa\u{C}\u{1E}\0OOT6\0O\u{11}\u{1B}d\u{E}\u{4}6\0OFVVJ\u{1B}6\0F\u{1B}dk\
            \u{1B}F5\0`3\u{1E}\u{1E}a\u{C}.rPq\u{18}HJ,\0>SS0>>\0 Hj\u{6}\u{3}P@<\0>[[[[\u{6}>\u{1E}\0\u{4}kD\u{E}oJ\
            \u{13}\00j&yA\\Fg6\0^7NXN7\u{1E}yN^p.\0h]QXg&yFJ0T6\0\u{F}IK\u{18}?W>G\\`3\u{1E}<\u{1F}T&\0^7Nx\u{1B}EK~<6\
            EP\0CPPbF\0^36<<63D\u{13}~W<.G\u{1B}JVVX\u{1E}G7Nx\u{16}yOT6G7NXN7H.G]QXgP&G7NS0.yD\u{18}\u{E}\u{3}T6\0W?K\
            \u{18}I\u{F}\u{16}Gxg\u{1E}GO\u{1B}d.GXVVJ\u{1B}&GFd\u{1B}F&GOgAT&GJqYJE\0\u{F}Kj8\u{C}K\u{18}\u{F}\u{11}z\
            SHE\0<[Z\u{7}\u{C}[\u{6}<&E\u{7F}\\J'\u{2}\0\u{19}\0Hz^EE\u{4}\u{1F}5445\u{1F}\u{4}N\0\u{F}IK?Ki\u{7F}o8>L\
            DJ\u{1B}\u{11}\u{1B}JDE\0`3\u{1E}\u{1E}?\u{C}?M\u{11}zESM\0\u{1E}30\u{1E}`\u{1E}\u{3}3\u{1E}\u{C}\0cfUD\
            \u{7F}n\u{7F}z\u{7F}x\u{7F}z\u{7F}nT<\0<\u{6}>&>\0>>L{\u{1B}6,6\u{1B}{-Ge?\u{1}\u{1}\u{1}\u{14}GE>fUD\
            \u{7F}n\u{7F}j\u{7F}n\u{7F}l\u{7F}jT\u{5}?\u{1D}\0\u{1E}`\u{1E}%LM?Me#l,\u{C}Y<#l,j,8\u{13}\0\u{C}Y.Gx\
            \u{7F}{?H~\0\u{7F}O\u{7F}^www\u{7F}^\u{7F}NBBBC\u{11}G\0H#_E\u{C}$\u{18}#\0\u{18}8Ki<\0\u{1C}>\">\u{1C}\0>\
            >L6\u{1B}{|{\u{1B}6V\0\u{18}8K\u{7F}XmC|tAN\0\u{18}8K\u{1F}mA\u{3}\u{6}tNl,j\u{7F}lNC|tA5\0M\0MY`\u{1E}\
            \u{15}GE?/GEJ_G \u{1A}\0Y8\u{10}\u{1A}\0\u{10}8Y.\0I3\u{7F}{\u{11}.\0\u{11}\u{7F}{I3,G\u{1C}>>>\u{1C}7_\0n\
            no  NE\u{F}I\u{18}>\u{18}>\u{18}I\u{F}vEJ\u{7F}`\u{7F}a\u{7F}b\u{7F}d\u{7F}d\u{7F}h}&TuHQT.E0?X?^>\0\\c67c\
            c\\>UNS0p\u{6}\u{12}\u{C}>E?RImRI?>\0\u{18}?\u{18}\u{1B}]vIW\0\u{E}\u{1F}XJO\u{3}A_G 6L?F?>`D.LJH>^JFLDNNm\
            fQQD.\0\u{3}\u{6}SH}\u{1E}LSH}.\u{6}\u{9}\u{6}OFT\u{1E}LOFT5L`3\u{1E}\u{1E}M\u{C}6L?RmRI?+K\0<WK<#\u{C}\
            \u{18}~K<&L?vR?G\0RJR\\vG\0 %L?aM\u{C}6GJs0>0}.GJH>HJ>GDNmVfQD>G36<<63D\u{1E}GXJXNE@\u{1F}QVVVVp 6L\u{1F}N\
            DHDp.L\u{1F}DHQb\u{1E}L\u{1F}Ob\u{16}GOb>L\u{1F}N^p\u{6}\u{12}\u{C}6L\u{1F}D0\u{1F}PT\u{1B}G<Wi\u{1B}G8Wi%\
            G3\u{12}\u{1E}a.L\u{E}\u{1F}FJX\u{7F}G\u{7F}[nnf6n\u{7F}[GL  E >G\u{1B}n|\u{1F}6n\u{1B}\u{13}G~<&Grq\u{18}\
            J6\0\u{F}IK8W\u{18}6LK?K\u{18}I\u{F}.G\u{E}\u{1F}FJF6\0d\u{1E}\u{3}\\O\u{1F}O\0AtP]QFgG V\0K\u{1A}\u{1E}\
            \u{1C}88\u{18}\u{7F}X\\.GUD\u{1C}\u{7}TOyA\\Fg\u{3}A_G .Lh]QDgU\0\u{1C}\u{C}\u{D}\u{F}\u{E}\u{1C}<,\u{C}\
            \u{1E}\u{1E}GChb&GCPhb$L\u{1E}aM\u{1E}$L\u{1C}aM\u{1E}$G\u{1C}a\u{C}\u{1E}$G\0\u{1C}a\u{1E}\u{5}`\u{C}6\
            \u{1C}\u{D}!\u{1E}\u{C}\0c\u{C}\u{1C}6\u{E}I3\u{C}\u{1A},\u{12}\00\u{18}\u{E}\0T\u{5}eF\0\\>c6\0c6f\u{9}EH\
            \u{A}\0Y\u{14}\0\u{1C}6\u{16}\0I3\u{14}E\"\u{1C}\u{16}k\0D\u{14}E\u{1A},\u{D}L?\u{D}G3\u{1B}EK~\u{C}6\0tPP\
            PhTNL@\0\u{2}\u{4}\u{4}\u{4}\u{8}\0 \u{A}oY\u{D}\u{1B}\u{1B}\u{12}\u{18}\u{8}\u{10}\u{5}d\u{D}\u{11}\u{E}\
            \u{15}\0\u{1B}\u{1B}\u{5}k\u{D}\u{D}\u{16}\u{D}\0d\u{5}U\u{15}\0\u{11}\u{E}\u{13}\0\u{C}\u{18}\u{D}\0k\
            \u{15}\0\u{D}\u{16}\u{D}Ed\u{D}E\u{1F}\u{E}E\\\u{D}Ek\u{B}oj\u{C}\u{C}\u{6}\u{C}Z\u{E}\u{4}Z\u{15}\u{6}\
            \u{9}\u{6}\u{14}\0\u{C}\u{6}\u{C}\0Z\u{16}\0\u{7}{\u{1D}\0\u{6}\u{9}\u{6}\u{1B}LMLM\u{C}EZV\0\u{3}|\0\u{6}\
            \u{B}\u{3}\u{3}\u{3}\u{3}\u{3}\u{15}o\u{C}\u{F}\u{C}oZ\u{4}[\u{C}\0[\u{D}\u{3}\u{6}\u{C}E[\u{15}\0\u{3}\
            \u{6}#GE\u{4}\0\u{4}\u{16}oA\u{7}6LA\u{3}\u{3}\u{3}h\u{3}\u{15}G\u{3}\u{3}
            """
        }
    }
}
