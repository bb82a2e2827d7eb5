// Scripts whose characters join their neighbours, so that joiners change how a word is written.
const joiningScripts = ['Adlm', 'Arab', 'Mand', 'Mong', 'Nkoo', 'Phag', 'Rohg', 'Syrc']
  .concat(['Beng', 'Deva', 'Gujr', 'Guru', 'Knda', 'Mlym', 'Orya', 'Sinh', 'Taml', 'Telu'])
  .concat(['Bali', 'Cakm', 'Java', 'Khmr', 'Mtei', 'Mymr', 'Newa', 'Tibt', 'Tirh'])
  .map((script) => String.raw`\p{scx=${script}}`)
  .join('')
const joiningMark = String.raw`(?=\p{M})[${joiningScripts}]`
const joiningCharacter = String.raw`(?=[\p{L}\p{M}])[${joiningScripts}]`

const emoji = String.raw`\p{Extended_Pictographic}(?:[\ufe0e\ufe0f]|\p{Emoji_Modifier})?`
const keycap = String.raw`[#*0-9]\ufe0f\u20e3`
// England, Scotland and Wales are the only flags of this kind that are drawn; others would be a place to hide text.
const tagFlag =
  String.raw`\u{1f3f4}\u{e0067}\u{e0062}` +
  String.raw`(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}`

/** Hidden characters where their script or an emoji needs them. */
const needed = [
  tagFlag,
  String.raw`${emoji}(?:\u200d${emoji})*`,
  keycap,
  // Between two characters that join, after a vowel sign or a virama, and after the Persian abbreviation "ه".
  String.raw`[\u200c\u200d](?<=${joiningCharacter}.)(?=${joiningCharacter})`,
  String.raw`[\u200c\u200d](?<=${joiningMark}.)`,
  String.raw`\u200d(?<=\u0647.)`,
  // Variants of a Mongolian character or of an ideograph.
  String.raw`[\u180b-\u180f](?<=(?=\p{L})\p{sc=Mong}.)`,
  String.raw`[\ufe00-\ufe02\u{e0100}-\u{e01ef}](?<=\p{Unified_Ideograph}.)`,
].join('|')

// Unicode counts the signs that enclose a number in Arabic and Kaithi as format characters, but they are drawn.
const drawn = String.raw`[\u0600-\u0605\u06dd\u0890\u0891\u08e2\u{110bd}\u{110cd}]`
// The last six are blank: Braille, a placeholder of objects, hieroglyphs, Khitan, and a musical note.
const hidden = String.raw`[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{13441}\u{13442}\u{16fe4}\u{1d159}]`

const neededOrHidden = new RegExp(`(${needed})|${hidden}(?<!${drawn})`, 'gu')

/**
 * Replaces every character that is not drawn or that reorders or breaks the text around it. Sequences of emoji stay, as
 * do joiners and variants in scripts that need them.
 */
export const replaceHidden = (text: string, replace: (character: string) => string): string =>
  text.replace(neededOrHidden, (found: string, isNeeded?: string) => (isNeeded === undefined ? replace(found) : found))
