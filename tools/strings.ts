import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './bootstrap.mjs'
import { type Catalogue, checkCatalogue, compileCatalogue, flatten, writeCatalogue } from './strings/catalogue.ts'
import { checkSources, readPageStrings } from './strings/page-sources.ts'
import { pseudoLocales } from './strings/pseudo-locales.ts'

const localesFolder = join(root, 'apps/web/locales')
const compiledFolder = join(root, 'apps/web/public/locales')
const { messages } = readPageStrings()

const write = (folder: string, tag: string, content: object): void => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${tag}.json`), `${JSON.stringify(content, null, 2)}\n`)
}

/** The languages in `apps/web/locales`, without those that are written from the sources. */
function translations(): (readonly [tag: string, catalogue: Catalogue])[] {
  mkdirSync(localesFolder, { recursive: true })
  return readdirSync(localesFolder)
    .map((file) => file.replace(/\.json$/, ''))
    .filter((tag) => tag !== 'en' && pseudoLocales[tag] === undefined)
    .map((tag) => [tag, JSON.parse(readFileSync(join(localesFolder, `${tag}.json`), 'utf8'))])
}

function check(): void {
  const problems = [
    ...checkSources(),
    ...translations().flatMap(([tag, catalogue]) =>
      checkCatalogue(messages, catalogue, tag).map((problem) => `${tag}.json: ${problem}`),
    ),
  ]
  for (const problem of problems) console.error(problem)
  if (problems.length === 0) console.log(`${messages.length} strings, no problems.`)
  process.exitCode = problems.length === 0 ? 0 : 1
}

const commands: Readonly<Record<string, () => void>> = {
  /** Writes the English strings and the pseudo-locales for translators. */
  extract() {
    write(localesFolder, 'en', writeCatalogue(messages))
    for (const [tag, translate] of Object.entries(pseudoLocales))
      write(localesFolder, tag, writeCatalogue(messages, translate))
    console.log(`${flatten(writeCatalogue(messages)).size} texts in apps/web/locales/en.json`)
  },
  check,
  /** Writes what the development server offers to a page with a stored locale. */
  compile() {
    for (const [tag, translate] of Object.entries(pseudoLocales))
      write(compiledFolder, tag, compileCatalogue(messages, writeCatalogue(messages, translate), tag))
    for (const [tag, catalogue] of translations())
      write(compiledFolder, tag, compileCatalogue(messages, catalogue, tag))
  },
}

const [name = 'check'] = process.argv.slice(2)
const command = commands[name]
if (command) command()
else {
  console.error('Usage: npm run strings -- extract | check | compile')
  process.exitCode = 1
}
