// Written by Hardware/Watch/Graphics/generate-font: change that and run it again.
// Source: X11 misc-fixed 9x15, as in Debian's xfonts-base. "Public domain font. Share and enjoy."

/// Glyphs as ASCII bytes of a literal; `GlyphTables` says what they mean, and why the getter looks like this.
enum RowFontTable {
    /// 2,357 bytes.
    static var bytes: StaticString {
        @export(interface) @inline(never) get {
            """
            D\u{9}\u{2}\0}\u{3}}\u{1}F\u{7F}`\0\0  DDEE\u{7F}\u{7F}\u{10}\u{10}E\0\u{8}\u{8}\u{4}\u{4}GD\u{7F}dFFHHF \
            \u{7F}P\u{2}\u{4}\u{1}\u{1}\u{7F}p\u{7F}aLLJ\u{10}\u{7F}^\u{7F}H$\u{18}\u{11}\u{A}GG\u{1F}D\u{7F}DM\u{4}$$\
            O\u{7F}@@00\u{A}\u{11}\u{8}\u{10}\u{7F}_P H\0D\u{1F}!!\u{1}T\u{7F}hQEPFHE\u{1F}G\u{4}f\u{7F}XU\u{1}\u{C}\\\
            X\u{8}j \u{12}\u{11}N\u{1F}MM/V!\u{1E}o5oZo?o)o7nPX`\u{16}\u{1F}f\u{5}f*f\u{F}f\u{7}fAftfHfCr0_\u{9}kUkzk_\
            kIkWe \u{16}\u{2}cEcjcOcGd:\u{4}@s=)\u{2})\u{B}(v(w(n)\u{3}q`*\u{1F}+++K+6+.n\u{6}n%{\u{1B}n\u{7}1H0m1K1k1\
            V1=1N\u{8}H1C5+5K565-8\u{6}Vp7mii(zo:(ri\0t m\u{1A}*+l/*\u{16}bA*'lv*\u{C}W@*\\r0opYI+:]z+2Ya+G\u{17}N+N]v\
            +,k\u{F},Vk\u{A},Raq,g\u{18}_q\u{10}`?-5g`\\@zI{\u{1C}[t{\u{1E}fEn\u{A}\u{19}}n#\\!n\0V v\u{10}u%u@x\0xPj \
            a*gD\u{1B}o/T]\u{10}g\u{12}\u{1C}\00\u{1}sP/l_P1\u{1B}w0y X\u{10}0|UP\u{1D}\u{1F}1\u{1F}ka1ZkZ1Rk`1YZ\0p@^\
            j3[v`yp^F3<mj4+mO4\u{16}ZP4\u{1F}mF4\u{C} n4nhF4p k4Qc95\u{1C}cQ5\u{1E}cJ52b`54cP58!I5N6?6Vd\u{1F}7vd\
            \u{17}e\u{A}8[[ 8\\df8<s\0\u{4}?\u{4}y\u{5}*\u{5}f\u{6}\"\u{6}X\u{7}\u{11}\u{7}H\u{7}z\u{8}0\u{8}c\u{9}\
            \u{1D}\u{9}T\u{A}\u{D}\u{A}C\u{A}x\u{B}=\u{B}k\u{C}B\u{D}\u{8}\u{D}?\u{D}u\u{E}.\u{E}x\u{F}O\u{10}\u{16}\
            \u{10}9\u{10}e\u{11}\u{F}\u{11}-\u{11}M\u{11}r\u{12}\u{19}\u{B}~\0-~\0PREF\u{C}b$M\0\u{12}\u{12}?\u{12}\
            \u{12}?\u{12}\u{12}`\u{4}\u{1F}O$\u{14}\u{E}\u{5}`O\u{1F}\u{4}`S))\u{12}M\u{9}\u{7F}R\u{7F}R!E\u{18}b\\t%\
            \"%t\0R8~\0\u{8}JpJ\u{8}A~\0 JXLJ <\u{4}O\u{15}\u{E}\u{15}O\u{4}!EaIa\u{1C}QeJ \u{F}jI\u{A}Qe<@U\u{2}M\
            \u{8}J 3\u{E}\u{11}^G\u{11}\u{E}<\u{4}\u{C}\u{14}$MaI*rmg IEI@\u{1}\u{2}\u{7}d@kE\u{1}\u{3}\u{5}\u{9}\
            \u{11}!Iu3IF|d@k*\u{F}\u{10}F|z<I@U\u{2}\u{2}MLN\u{E}\u{11}D\u{11}\u{E}\u{11}G\u{11}\u{E}<\u{1F}NWZd\u{1}\
            \u{1E}\u{1C}KeKe.KeKeJ :TgF\u{10}\u{8}\u{4}\u{2}!HIEIC \u{10}\u{8}\u{4}\u{2}Tg <r@\u{1}\u{2}M\0\u{4}Wr\
            \u{7F}gn\u{7F}i\u{7F}fF\u{1F}!sNINN>!D!>!G!>\u{18}_pk3>!^G!>*IR>PI!IR>i*_R\u{7F}cz!^IGN\u{1F}>XX>=\u{7F}GU\
            Uu}xWD!\"$8($\"!D\u{18}PiIWG\u{7F}q\u{7F}j\u{7F}jOON<GVncbWN!\u{1F}^^\u{1F}!?N?iE\u{1F}^GnO\u{1F}\u{2}A<?N\
            ?$\"!G<r \u{1C}\u{3}@G\u{1F}!I{Ma\u{18}^Gz<N\u{11}\u{11}]\u{A}\u{A}\u{4}<^OOOcj\u{11}*G]MfG!G]{M3I@mgFI0~\
            \0<Pp<< J\u{8}M\u{2}U@9~\0<{{M<\u{F}sD+oIQq &~\0 \u{10}\u{8}<K\u{1F}dhDWZ*R|NV/!K_Rk<d@ZWNWZ*KrIF\u{1F}3\
            \u{7}[[L>X<KZl} r\u{1F}!R|GN(\u{18}E8w>;\u{3}E\u{7}Uul}ERD#,0,#D\u{1F}8XX>EK;OOOOOD!K|GN\u{18}Krz3K|NV/REK\
            ZWNWZd@3K'tSJJ3K_ \u{1F}@k3\0L?X[\u{7}*KlllZ3KG\u{11}]\u{A}\u{4}<KGOOcj\u{11}*KD]sDDKll!#\u{1D}\u{1}}*KImg\
            IL~\0\u{E}Y\u{8}e\u{8}Y\u{E}$~\0PPPU~\08a\u{8}\u{6}\u{6}\u{8}a8\u{18}tO#\u{B}~\0-~\0FEPRME\u{2}\u{1E}%$()\
            \u{1E}\u{10}E\u{7}[L>L\u{18}n\u{17}*\0k\u{11}\u{11}_3G]\u{1F}\u{4}\u{1F}a\u{12}i\0iB\u{18}$ \u{18}b\\\u{4}\
            \\\u{1F}~\0\"\"a\u{F}S&)()&S\u{F}Qi:\u{18}$\u{1C}$\u{1E}\0>E\0`\u{9}\u{12}b\u{12}\u{9}`\u{17}H?u\u{D}j>a\
            \u{F}S.).*)S\u{F}Qi\u{5}?\u{15}\u{18}$\\*aIa\0I0\u{18}$\u{4}\u{18} <'\u{18}$\u{8}\u{4}\\\u{1D}~\0g EKGN\
            \u{7F}q\u{7F}nFrh\u{7F}b\u{7F}b\u{7F}bZBBBBB\u{A}He\u{C}ov\u{1D}\u{10}0Y81\u{1C}\"\"\u{1C}\0>N\0$\u{12}\
            \u{9}``\u{9}\u{12}$`\u{10}0JS\u{7F}yB`\u{7F}FA`\u{10}0J\u{13}\u{7F}|@\u{3}\u{4}\u{7F}G`\u{18}$\u{8}\u{4}cY\
            B`\u{7F}FA<\u{4}\0Mg G\u{1F}\u{F}jI,jIQq0\u{13}\u{10} e\u{13}e\u{10} \u{1F}\u{12}$66\u{1F}66\u{12}$1K\
            \u{1C}>>>\u{1C}\u{18}Q\0OW\0\u{7}[\u{10}>\u{10}>\u{10}[\u{7}iIDW\u{7F}b\u{7F}bchnVI|~\00\u{10} \0\u{7F}W\
            \u{18}JYQ\0pi\u{7F}{SSSSSSS\u{7F}T;<\0R|GV/RN~]\u{4}>!GN!>W~]\u{4}GVncbWGN\u{7F}[bb?b$\u{7F}g3\0IR>RI<hb$'\
            bbhN_F\u{1F}dG\u{1F}\u{6}\u{12}\u{C}W~\0\u{6}\0I@mg I1\0>XL\u{8}>a\u{10}<\u{10}\u{7F}W\u{18}JYQ\0p<~\0]\
            \u{4}PRI3EIF>RI3E?N?!GNEDVnOcbWDW~\0mGVncbWD!ENI^!EPRI3\0_F\u{7F}cz!\0_ik<~\0\u{6}\u{9}\u{6}^z\u{18}E^z!EG\
            ]{3EImg I*ED]sD3EIJ\u{1E}YI(E>XL>(E8XL>bJI\u{10}hJYjF0PR!EI{aFsNINdQq 3\0\u{E}\u{11}NINEKD!\"<\"!D<E_F\
            \u{7F}cG\u{1F}*E\u{1F}^G\u{1F}!ErRk!E_Pk<E_ \u{1F}@G\u{1F}\u{1F}K8w>N~\0\u{E}\u{11}\u{E}fGIN3E\u{E}\u{11}G\
            INX@C@ZWNWZq EK\u{1B}Ocg$O\u{1B}`~\0T\u{6}\0Zl} _\u{1F}EK\u{1B}O`\u{1F}$c[X\u{1F}SJ8YS\u{1F}HKp2\u{E}\
            \u{11}J0JYOY\u{14}\u{18}0YhQq aK\u{1F}dhDWZdQq 3E\u{7F}GUu}`~\0\u{2}\u{5}[\0\u{7}Uul}|tE\u{7F}Yw>\0\u{4}CE\
             EPiahYhySJvKRHFaJ\u{18}\u{14}ySY\u{8}\\EPp|\u{10}S\u{11}\u{12}\u{1C}\u{14}yS\u{10}vE Q sJJ\u{7F}Q\u{16}\
            \u{18}\u{16}\u{7F}Q\u{10}vxxXK\u{7F}W\u{18}JY\u{8}\\qpFK\u{7F}S\u{C}wvqF)E\u{1F}{M\u{1F})K\u{1C}Ma\u{1F}\
            \u{1D}~ \u{10}\u{8}\u{1F}~\"\u{14}\u{8}\u{1F}~\0\"\"\u{16}~\0>\u{1F}~\0\"\u{1C}&~\0 \u{10}\u{8}\u{3}b\
            \u{1F}~\u{8}\u{14}\"!~\0t'\u{D}\"\u{1C}(~\0\u{8}\u{14}\"\u{E}\u{19}&\u{F}t'\u{E}\0?!~s\0D*E\u{1F}N?R\u{D}j\
            6{~\0@\0\u{1}BB``[[\u{10}\0 EE@\0\u{2}TL\0 \u{C}ov\u{1E}~\u{10}\u{8}\u{4}\u{17}~]\u{4} ~\0\u{11}\u{11}1~\0\
            \u{12}\u{C}\u{14}\u{2}\u{17}~\0\u{1F} ~\0\u{11}\u{E}'~\0\u{10}\u{8}\u{4} ~\0]\u{4}\u{D}\u{12}\u{12}\u{E}\
            \u{11}\u{11}\u{E}~s!~\0[\u{11}\u{5}\u{1F}\u{E}\u{11}\u{E}&\0\u{18}Q\u{10}\u{18}\u{16}\u{C}\u{12}\u{C}\
            \u{1E}~\0\u{4}g\u{17}~\0s\u{18}\u{7F}L\u{13}\u{E}\u{9}\u{12}\u{F}[\u{11}\u{E}\0\u{1F}\u{E}K\u{1B}\u{16}KT\
            \u{10}\u{14}o\u{10}\u{18}(Q\0\u{2}\u{12}\u{C}\u{1F}o\u{6}\u{12}\u{C}!~[\u{5}\u{2}\u{15}~\0\u{C}(~\0\u{8}\
            \u{4}\u{2})~\0\u{6}\u{9}\u{6}\u{16}~T\u{8}!~\u{2}\u{5}[\u{1F}~\0T\u{8}\u{C}\0\u{C}C\0\u{4}\u{E}\u{4}K\u{4}\
            \u{E}\u{4}\u{15}o\u{8}\u{C}\u{E}~m\u{17}~\0m\u{D}\0\u{6})Em\u{2}u\u{6}\u{16}o\u{4}\u{6}\u{18}o`\u{3}\u{16}\
            K\u{2}\u{2}\u{E}KU
            """
        }
    }
}
