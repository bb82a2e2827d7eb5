let neededOrHidden: RegExp | undefined

/**
 * Replaces every character that is not drawn or that reorders or breaks the text around it. Sequences of emoji stay, as
 * do joiners and variants in scripts that need them.
 */
export function replaceHidden(text: string, replace: (character: string) => string): string {
  neededOrHidden ??= createPattern()
  return text.replace(neededOrHidden, (found: string, needed?: string) =>
    needed === undefined ? replace(found) : found,
  )
}

/** Captures hidden characters that are needed, and matches all others. */
function createPattern(): RegExp {
  const { raw } = String
  // Extended pictographs, each with a modifier or a variation selector, joined. One that ends without another is hidden.
  const emoji = raw`(?:\p{ExtPict}[\ufe0e\ufe0f\p{EMod}]?(?:\u200d(?=\p{ExtPict}))?)+`
  const keycap = raw`[#*\d]\ufe0f\u20e3`
  // England, Scotland and Wales. Other flags of this kind are not drawn, and would be a place to hide text.
  const flag = raw`\u{1f3f4}\u{e0067}\u{e0062}[\u{e0061}-\u{e007a}]{3}\u{e007f}`
  // Arabic, Syriac, N'Ko, the scripts of India and South East Asia, Tibetan, Mongolian, Rohingya and Adlam.
  const joining = raw`[\u0620-\u0dff\u0f40-\u109f\u1780-\u18af\u1b00-\u1bff\ua840-\uaaff\uabc0-\uabff\u{10d00}-\u{10d3f}\u{11000}-\u{11fff}\u{1e900}-\u{1e95f}]`
  const needed = [
    flag,
    emoji,
    keycap,
    // Between two characters that join, after a vowel sign or a virama, and after the Persian abbreviation "ه".
    raw`[\u200c\u200d](?<=${joining}.)(?=${joining})`,
    raw`[\u200c\u200d](?<=(?=\p{M})${joining}.)`,
    raw`\u200d(?<=\u0647.)`,
    // Variants of a Mongolian character and of an ideograph.
    raw`[\u180b-\u180f](?<=[\u1820-\u18aa].)`,
    raw`[\ufe00-\ufe02\u{e0100}-\u{e01ef}](?<=\p{UIdeo}.)`,
  ].join('|')
  // Unicode counts the signs that enclose a number as format characters, but they are drawn.
  const drawn = raw`[\u0600-\u0605\u06dd\u0890\u0891\u08e2\u{110bd}\u{110cd}]`
  // `DI` are all characters that Unicode calls ignorable. The rest are blanks.
  const hidden = raw`(?!${drawn})[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}\u2800\ufffc\u{13441}\u{13442}\u{16fe4}\u{1d159}]`
  return new RegExp(`(${needed})|${hidden}`, 'gu')
}
