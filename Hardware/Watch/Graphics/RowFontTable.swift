// Written by Hardware/Watch/Graphics/generate-font: change that and run it again.
// Source: X11 misc-fixed 9x15, as in Debian's xfonts-base. "Public domain font. Share and enjoy."

/// Glyphs as ASCII bytes of a literal; `GlyphTables` says what they mean, and why the getter looks like this.
enum RowFontTable {
    /// 2,397 bytes.
    static var bytes: StaticString {
        @export(interface) @inline(never) get {
            """
            D\u{9}\0~\u{3}~\u{1}F\0\0\u{7F}`DD  EE\u{7F}\u{7F}F\0\u{10}\u{10}\u{8}\u{8}\u{4}\u{4}HE\u{7F}dGGD\0G FF\
            \u{7F}P\u{2}\u{4}\u{1}\u{1}\u{7F}p\u{7F}aLLK\u{10}\u{7F}^\u{7F}HSF$\u{18}\u{11}\u{A}HHD\u{1F}\u{7F}DM\u{4}\
            D\u{7F}$$O\u{7F}E\u{1F}DI@@00\u{A}\u{11}\u{8}\u{10}P D !!\u{1}U\u{7F}hPGD\u{18}\u{1F}E\u{4}kV\u{1}\u{7F}_D\
            \u{10}\u{C}^J N\u{1F}MMH\u{1F}/Wo5oZo?o)o7nPX`\u{16}\u{1F}f\u{5}f*f\u{F}f\u{7}fAftfHfCr0_\u{9}kUkzk_kIkWe \
            \u{16}\u{2}cEcjcOcGd:\u{4}@s=)\u{2})\u{B}(v(w(n)\u{3}q`*\u{1F}+++K+6+.n\u{6}n%{\u{1B}n\u{7}1H0m1K1k1V1=1N\
            \u{8}H1C5+5K565-8\u{6}Vp7mii(zo:(ri\0t m\u{1A}*+l/*\u{16}bA*'lv*\u{C}W@*\\r0opYI+:]z+2Ya+G\u{17}N+N]v+,k\
            \u{F},Vk\u{A},Raq,g\u{18}_q\u{10}`?-5g`\\@zI{\u{1C}[t{\u{1E}fEn\u{A}\u{19}}n#\\!n\0V v\u{10}u%u@x\0xPj a*g\
            D\u{1B}o/T]\u{10}g\u{12}\u{1C}\00\u{1}sP/l_P1\u{1B}w0y X\u{10}0|UP\u{1D}\u{1F}1\u{1F}ka1ZkZ1Rk`1YZ\0p@^j3[\
            v`yp^F3<mj4+mO4\u{16}ZP4\u{1F}mF4\u{C} n4nhF4p k4Qc95\u{1C}cQ5\u{1E}cJ52b`54cP58!I5N6?6Vd\u{1F}7vd\u{17}e\
            \u{A}8[[ 8\\df8<s\0\u{4}@\u{4}~\u{5}2\u{5}s\u{6}1\u{6}m\u{7}-\u{7}i\u{8}\u{1B}\u{8}U\u{9}\u{F}\u{9}J\u{9}\
            \u{7F}\u{A}9\u{A}t\u{B}+\u{B}r\u{C}$\u{C}x\u{D}=\u{D}r\u{E})\u{E}`\u{F}+\u{10}\u{7}\u{10}P\u{10}p\u{11}\
            \u{1C}\u{11}@\u{11}]\u{11}~\u{12} \u{12}B\u{2}\0$\0PRDG\u{15}De$MQ\u{12}\u{12}?\u{12}\u{12}?\u{12}\u{12}iD\
            \u{4}\u{1F}O$\u{14}\u{E}\u{5}bO\u{1F}\u{4}iDT))\u{12}M\u{9}\u{7F}R\u{7F}R!Wse^\u{7F}X%\"%\u{7F}X\u{9}DR/\0\
            \u{8}KrK\u{8}8\0 KYLK ED\u{4}O\u{15}\u{E}\u{15}O\u{4}!FcIc%SDjK \u{18}FQI\u{13}SDjED@V\u{2}M\u{8}K <D\u{E}\
            \u{11}`H\u{11}\u{E}ED\u{4}\u{C}\u{14}$McI3aHpl IEh@\u{1}\u{2}\u{7}i@gND\u{1}\u{3}\u{5}\u{9}\u{11}!Iv3hG~i@\
            g3D\u{F}\u{10}G~{<h@V\u{2}\u{2}MLWD\u{E}\u{11}E\u{11}\u{E}\u{11}H\u{11}\u{E}<aNX[i\u{1}\u{1E}\u{1C}JjQj.Jj\
            QjK CDUlG\u{10}\u{8}\u{4}\u{2}\u{18}FhhCn\u{10}\u{8}\u{4}\u{2}Ul EaH@\u{1}\u{2}M\0\u{4}`aH\u{7F}gq\u{7F}i\
            \u{7F}fG\u{1F}*DuNINWD>!E!>!H!>!aErg<D>!`H!>*hR>PI!hR>m3aER\u{7F}c{*D`IHN(D>YY>FdGVVv!\u{1E}z`DE!\"$8($\"!\
            E!DPmI`DH\u{7F}q\u{7F}j\u{7F}jOONEDHWqfbXN!a``\u{1F}*D?N?mEa`HqO\u{1F}\u{2}AED?N?$\"!H<aH \u{1C}\u{3}@}!h|\
            Mc!D`H{EDN\u{11}\u{11}_\u{A}\u{A}\u{4}ED`OOOfj\u{11}3DH_MkH*DH_|M3h@plGI'\0<Pr<<nK\u{8}M\u{2}V@0\0<||M<\
            \u{18}DuE\"]I]n\u{1D}\0 \u{10}\u{8}<J\u{1F}iwEX[3DR~NW/!JtRgEDi@[XNX[3J\u{1F}HIG\u{1F}<D\u{7}\\\\L>YEJ[o!\
            \u{1E} \u{1F}}*DR~HN1sD8Y\u{8}>MD\u{3}D\u{7}Vvo!\u{1E}NDRE#,0,#E(D8YY>EJ;OOOOOE!J~HN!J\u{1F}H{3J~NW/REJ[XN\
            X[i@<J'\u{7F}XTKK3Jt \u{1F}@g3QL?Y\\\u{7}*Jooo[3JH\u{11}_\u{A}\u{4}<JHOOfj\u{11}*JE_uEMJoo!#\u{1D}\u{1}!\
            \u{1E}*JIplIC\0\u{E}Z\u{8}j\u{8}Z\u{E}\u{1B}\0PPPL\08c\u{8}\u{6}\u{6}\u{8}c8!dXO#\u{2}\0$\0GDPRMF\u{2}\
            \u{1E}%$()\u{1E}\u{10}ND\u{7}\\L>L\u{18}q\u{17}*Qg\u{11}\u{11}t<DH_\u{1F}\u{4}\u{1F}c\u{1B}Dm\0mBs$ \u{18}\
            e^\u{4}^\u{16}\0\"\"jD\u{F}T&)()&T\u{F}Sm:s$\u{1C}$\u{1E}\0>EQb\u{9}\u{12}e\u{12}\u{9}b FD?v\u{16}FQ>jD\
            \u{F}T.).*)T\u{F}Sm\u{E}D?\u{15}s$^3DcIc\0I0s$\u{4}\u{18} <'s$\u{8}\u{4}^\u{14}\0l EJHN\u{7F}q\u{7F}nG{d_\
            \u{7F}b\u{7F}b\u{7F}b[BBBBB\u{13}FDj\u{C}]y\u{1D}x0Z8:D\u{1C}\"\"\u{1C}\0>NQ$\u{12}\u{9}bb\u{9}\u{12}$`x0K\
            T\u{7F}yBb\u{7F}FA`x0K\u{13}\u{7F}|@\u{3}\u{4}\u{7F}G`s$\u{8}\u{4}fYBb\u{7F}FA<D\u{4}\0Ml }\u{18}FQI5FQI]D\
            0\u{13}x j\u{1C}Dj\u{10} (D\u{12}$66(D66\u{12}$1J\u{1C}>>>\u{1C}\u{18}SQOWQ\u{7}\\\u{10}>\u{10}>\u{10}\\\
            \u{7}ihEX\u{7F}b\u{7F}bfhqWIs\00\u{10} \0\u{7F}W\u{18}KZFJrid{TTTTTTT\u{7F}T;<QR~HW/RE_\u{4}>!HN!>N_\u{4}H\
            WqfbXHNd[ee?e$\u{7F}g3QIR>RIEd_e$'eewNaEG\u{1F}i}\u{6}\u{12}\u{C}N\0\u{6}\0I@pl I1Q>YL\u{8}>ax<\u{10}\
            \u{7F}W\u{18}KZFJr3\0_\u{4}PRI3FIG>RI3F?N?!HNFEWqOfbXEN\0pHWqfbXE!FNI`!FPRI3QtG\u{7F}c{!Qtmg3\0\u{6}\u{9}\
            \u{6}`{\u{18}F`{!FH_|3FIpl I*FE_uE3FIK\u{1E}ZI(F>YL>(F8YL>kDKI\u{10}wKZJG0PR!FI|cFDuNINi]n3Q\u{E}\u{11}NIN\
            EJE!\"<\"!E3FtG\u{7F}c}!F\u{1F}`}*F\u{1F}HRg!FtPg3Ft \u{1F}@}(J8Y\u{8}>E\0\u{E}\u{11}\u{E}kHIN3F\u{E}\
            \u{11}HINaD@C@[XNX[FnEJ\u{1B}Ofg$O\u{1B}`\0U\u{6}\0[o!\u{1E} \u{1F}gEJ\u{1B}Ob\u{1F}$f[XaTK8ZT\u{1F}FQr;D\
            \u{E}\u{11}K0KZODZ\u{14}\u{18}0Zw]nXJ\u{1F}iwEX[i]n<F\u{7F}GVv!\u{1E}`\0\u{2}\u{5}\\\0\u{7}Vvo!\u{1E}|dXdY\
            Y\u{8}>\0\u{4}CnDPmsd_Zw\u{12}\u{11}TKyQRFGsDK\u{18}\u{14}\u{12}\u{11}TZ\u{8}^DPr|xT\u{11}\u{12}\u{1C}\
            \u{14}\u{12}\u{11}T\u{10}ynS |DKK\u{7F}Q\u{16}\u{18}\u{16}\u{7F}Q\u{10}yzzaJ\u{7F}W\u{18}KZ\u{8}^FDrXJ\
            \u{7F}S\u{C}Y\u{8}yFDG)F\u{1F}|M\u{1F})J\u{1C}Mc\u{1F}\u{14} \u{10}\u{8}\u{16}\"\u{14}\u{8}\u{16}\0\"\"\
            \u{D}\0>\u{16}\0\"\u{1C}\u{1D}\0 \u{10}\u{8}\u{C}De\u{16}\u{8}\u{14}\"!\0\u{7F}X'\u{16}D\"\u{1C}\u{1F}\0\
            \u{8}\u{14}\"\u{17}D\u{19}&\u{18}dX'\u{E}Q?\u{18}u\0E*F\u{1F}N?R\u{16}FQ6r\0@\0\u{1}BBbb\\\\\u{10}\0 EF@\0\
            \u{2}UL\0 \u{C}]y\u{15}\u{10}\u{8}\u{4}\u{E}_\u{4}\u{17}\0\u{11}\u{11}(\0\u{12}\u{C}\u{14}\u{2}\u{E}\0\
            \u{1F}\u{17}\0\u{11}\u{E}\u{1E}\0\u{10}\u{8}\u{4}\u{17}\0_\u{4}\u{16}D\u{12}\u{12}\u{17}D\u{11}\u{11}\u{5}\
            u\u{18}\0\\\u{11}\u{5}a\u{17}D\u{11}\u{E}&Q\u{18}S\u{10}\u{18}\u{1F}D\u{C}\u{12}\u{C}\u{15}\0\u{4}l\u{E}\0\
            u\u{18}dL\u{13}\u{17}D\u{9}\u{12}\u{18}D\\\u{11}\u{E}Q\u{1F}\u{E}J\u{1B}\u{16}JU\u{10}\u{14}]\u{10}\u{18}(\
            SQ\u{2}\u{12}\u{C}\u{1F}]\u{6}\u{12}\u{C}\u{18}\\\u{5}\u{2}\u{C}\0\u{C}\u{1F}\0\u{8}\u{4}\u{2} \0\u{6}\
            \u{9}\u{6}\u{D}U\u{8}\u{18}\u{2}\u{5}\\\u{16}\0U\u{8}\u{C}Q\u{C}CQ\u{4}\u{E}\u{4}Q\u{4}\u{E}\u{4}\u{15}]\
            \u{8}\u{C}\u{5}p\u{E}\0p\u{D}Q\u{6})Fp\u{2}v\u{6}\u{16}]\u{4}\u{6}\u{18}]b\u{3}\u{16}J\u{2}\u{2}\u{E}JV
            """
        }
    }
}
