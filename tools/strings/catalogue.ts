import type { Message } from './read-strings.ts'

/** The strings of a language as i18next JSON v4 has them: nested by key, `_one` and `_other` for plural forms. */
export interface Catalogue {
  [key: string]: string | Catalogue
}

const placeholder = /\{\{(\w+)(, number)?\}\}/g

/** Writes the messages as a catalogue; `translate` changes each text. */
export function writeCatalogue(messages: readonly Message[], translate = (text: string): string => text): Catalogue {
  const catalogue: Catalogue = {}
  for (const message of messages) {
    for (const [form, text] of Object.entries(message.forms)) set(catalogue, keyOf(message, form), translate(text))
  }
  return catalogue
}

/**
 * Compiles a catalogue to what the page loads: parameters by position, since minified functions have no names, and all
 * forms of a plural in one object. Messages without a text stay out, so that they stay English.
 */
export function compileCatalogue(messages: readonly Message[], catalogue: Catalogue, tag: string): object {
  const compiled = {}
  for (const message of messages) {
    const texts = formsOf(message, tag).flatMap((form) => {
      const text = flatten(catalogue).get(keyOf(message, form))
      return text === undefined ? [] : [[form, positional(message, text)] as const]
    })
    const forms = Object.fromEntries(texts)
    if (forms['other'] === undefined) continue
    const count = message.parameters?.indexOf(message.count ?? '') ?? -1
    set(compiled, message.key, count < 0 ? forms['other'] : { count, ...forms })
  }
  return compiled
}

/** Returns what is wrong with a translation. Missing texts are allowed: they stay English. */
export function checkCatalogue(messages: readonly Message[], catalogue: Catalogue, tag: string): string[] {
  const texts = flatten(catalogue)
  const problems: string[] = []
  const known = new Set<string>()
  for (const message of messages) {
    const forms = formsOf(message, tag)
    const present = forms.filter((form) => texts.has(keyOf(message, form)))
    for (const form of forms) {
      const key = keyOf(message, form)
      const text = texts.get(key)
      known.add(key)
      if (text !== undefined)
        problems.push(...checkText(message, form, text, tag).map((problem) => `${key}: ${problem}`))
      else if (present.length > 0 && form !== 'zero') problems.push(`${key}: this plural form is missing`)
    }
  }
  for (const key of texts.keys()) if (!known.has(key)) problems.push(`${key}: no such string`)
  return problems
}

/** Returns what is wrong with one text of a message. */
export function checkText(message: Message, form: string, text: string, tag: string): string[] {
  const expected = placeholdersOf(message.forms['other'] ?? '')
  const found = placeholdersOf(text)
  const unknown = [...found].filter((name) => !message.parameters?.includes(name))
  const missing = [...expected].filter(
    (name) => !found.has(name) && !(name === message.count && isOneNumber(tag, form)),
  )
  return [
    ...unknown.map((name) => `unknown placeholder {{${name}}}`),
    ...missing.map((name) => `missing placeholder {{${name}}}`),
    ...(/[{}]/.test(text.replace(placeholder, '')) ? ['malformed placeholder'] : []),
    ...(/<\/?[a-z]|&#?\w+;/i.test(text) ? ['HTML is shown as text'] : []),
    ...(text.trim() === text && text !== '' ? [] : ['empty, or blanks at an end']),
  ]
}

/** The plural forms of a message in a language. `zero` for exactly 0 is optional in each. */
function formsOf({ count, forms }: Message, tag: string): string[] {
  if (count === null) return ['other']
  const { pluralCategories } = new Intl.PluralRules(tag).resolvedOptions()
  return [...new Set([...(forms['zero'] === undefined ? [] : ['zero']), ...pluralCategories])]
}

/** Whether a plural form is used for a single number, which its text may spell out. */
function isOneNumber(tag: string, form: string): boolean {
  if (form === 'zero') return true
  const rules = new Intl.PluralRules(tag)
  return (
    Array.from({ length: 200 }, (_, count) => rules.select(count)).filter((category) => category === form).length === 1
  )
}

/** The texts of a catalogue by key. */
export function flatten(catalogue: Catalogue, prefix = ''): Map<string, string> {
  return new Map(
    Object.entries(catalogue).flatMap(([key, value]): [string, string][] =>
      typeof value === 'string' ? [[prefix + key, value]] : [...flatten(value, `${prefix}${key}.`)],
    ),
  )
}

const keyOf = ({ key, count }: Message, form: string): string => (count === null ? key : `${key}_${form}`)

const placeholdersOf = (text: string): Set<string> =>
  new Set([...text.matchAll(placeholder)].map(([, name = '']) => name))

const positional = ({ parameters }: Message, text: string): string =>
  text.replace(placeholder, (_, name: string, format = '') => `{{${parameters?.indexOf(name)}${format}}}`)

function set(target: object, key: string, value: unknown): void {
  const [first = '', ...rest] = key.split('.')
  if (rest.length === 0) Object.assign(target, { [first]: value })
  else {
    const nested = Object.hasOwn(target, first) ? Reflect.get(target, first) : {}
    Object.assign(target, { [first]: nested })
    set(nested, rest.join('.'), value)
  }
}
