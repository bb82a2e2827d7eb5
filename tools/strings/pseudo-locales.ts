const accents: Readonly<Record<string, string>> = Object.fromEntries(
  [...'AÅBƁCÇDÐEÉFƑGĜHĤIÎJĴKĶLĻMṀNÑOÖPÞQǪRŔSŠTŢUÛVṼWŴXẊYÝZŽaåbƀcçdðeéfƒgĝhĥiîjĵkķlļmɱnñoöpþqǫrŕsštţuûvṽwŵxẋyýzž']
    .join('')
    .match(/.{2}/gu)
    ?.map((pair) => [...pair]) ?? [],
)

/** Applies a change to a text, but not to its placeholders. */
const outsidePlaceholders = (text: string, change: (part: string) => string): string =>
  text
    .split(/(\{\{.*?\}\})/)
    .map((part) => (part.startsWith('{{') ? part : change(part)))
    .join('')

/**
 * The pseudo-locales. `en-XA` shows texts that are not translated, by its brackets and accents, and places that are too
 * narrow, since each text is 40 % longer. `en-XB` is written from right to left.
 */
export const pseudoLocales: Readonly<Record<string, (text: string) => string>> = {
  'en-XA': (text) => {
    const length = [...text.replace(/\{\{.*?\}\}/g, '')].length
    const longer = ' ~~~~'.repeat(Math.ceil((length * 0.4) / 5))
    return `[${outsidePlaceholders(text, (part) => part.replace(/[A-Za-z]/g, (letter) => accents[letter] ?? letter))}${longer}]`
  },
  'en-XB': (text) => outsidePlaceholders(text, (part) => part.replace(/\p{L}+/gu, '\u202e$&\u202c')),
}
