/** A change that another program makes to a text on its way. */
export interface TextChange {
  readonly name: string
  readonly change: (text: string) => string
}

const textChange = (name: string, change: (text: string) => string): TextChange => ({ name, change })
const append = (ending: string): TextChange =>
  textChange(`ends with ${JSON.stringify(ending)}`, (text) => text + ending)
const precede = (start: string): TextChange =>
  textChange(`starts with ${JSON.stringify(start)}`, (text) => start + text)

/** Inserts into the secret at the end of the text, or between the groups of a key. */
const insert = (piece: string): TextChange =>
  textChange(`contains ${JSON.stringify(piece)}`, (text) => `${text.slice(0, -9)}${piece}${text.slice(-9)}`)
const replaceHyphens = (name: string, dash: string): TextChange =>
  textChange(name, (text) => afterScheme(text, (rest) => rest.replaceAll('-', dash)))

/** The origin of a link stays as it is. */
function afterScheme(text: string, change: (rest: string) => string): string {
  const length = /^[^/]*\/\/[^/]*/.exec(text)?.[0].length ?? 0
  return text.slice(0, length) + change(text.slice(length))
}

/** What mail programs, chats, keyboards and word processors do to a link or a key. */
export const textChanges: readonly TextChange[] = [
  ...['.', ',', ')', '>', '"', '”', '’', '!', '?', ';', ' ', '\n', '\r\n', '.)'].map(append),
  append('\u200b'),
  append('\ufeff'),
  append(' Please answer soon.'),
  append('\n\nSent from my phone'),
  ...['<', '(', '“', '"', ' ', '\ufeff', '\u200e', '> '].map(precede),
  ...['\u200b', '\u00ad', '\u2060', '\u200e', '\n', '\r\n', ' ', '\u00a0', '\t', '=\r\n', '\n> '].map(insert),
  replaceHyphens('en dashes', '\u2013'),
  replaceHyphens('non-breaking hyphens', '\u2011'),
  replaceHyphens('minus signs', '\u2212'),
  replaceHyphens('full-width hyphens', '\uff0d'),
]

/** Changes of links only. */
export const linkChanges: readonly TextChange[] = [
  ...['%3E', '%22', '%20', '%C2%BB'].map(append),
  textChange('an encoded #', (text) => text.replace('#', '%23')),
  textChange('a # that is encoded twice', (text) => text.replace('#', '%2523')),
  textChange('a second #', (text) => text.replace('#', '##')),
  textChange('encoded hyphens and underscores', (text) =>
    afterScheme(text, (rest) => rest.replaceAll('-', '%2D').replaceAll('_', '%5F')),
  ),
  textChange('a parameter of a tracker', (text) =>
    text.replace(/(\?.*)?#/, (_, query?: string) => `${query === undefined ? '?' : `${query}&`}fbclid=Iw-x_1#`),
  ),
  textChange('a parameter after the fragment', (text) => `${text}&x=1`),
  textChange('a text fragment', (text) => `${text}:~:text=contract`),
  textChange('a scheme in capitals', (text) => text.replace('https', 'HTTPS')),
  precede('The link: '),
  precede('[link]('),
]

/** Changes of keys only. */
export const keyChanges: readonly TextChange[] = [
  textChange('lower case', (text) => text.toLowerCase()),
  textChange('letters for digits', (text) => text.replaceAll('0', 'o').replaceAll('1', 'l')),
  textChange('no hyphens', (text) => text.replaceAll('-', '')),
  textChange('spaces', (text) => text.replaceAll('-', ' ')),
  textChange('full-width letters', (text) =>
    text.replace(/[0-9A-Z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
  ),
  textChange('entities', (text) => text.replaceAll('-', '&#8209;')),
  textChange('lines with quotation marks', (text) => text.replace(/(.{20}-)/g, '> $1\n')),
  precede('Recovery key: '),
  precede('My recovery key for Sallyport is '),
]
