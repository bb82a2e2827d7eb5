import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Config } from '../apps/server/src/config.ts'
import { root } from './bootstrap.mjs'

/** The requirements the first release speaks for; later ones add theirs. */
const spokenFor: Readonly<Record<string, readonly number[]>> = {
  SHL: [1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13],
  ACC: [1, 2, 7, 8, 16, 17, 19],
  FIL: [1, 2, 3, 4, 5, 6, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21],
  SHR: [1, 3, 4, 5],
  SET: [1, 2, 3],
  CHT: [1, 2, 3, 4, 5],
}

/** Documents that are printed from the code, by path. */
const documents: Readonly<Record<string, () => string>> = {
  'docs/configuration.md': describeConfiguration,
  'docs/requirements.md': mapRequirements,
}

function describeConfiguration(): string {
  const rows = Object.entries(Config.shape).map(([name, schema]) => {
    const fallback = schema.safeParse(undefined)
    const text = fallback.success && fallback.data !== undefined ? String(fallback.data) : ''
    return `| \`${name}\` | ${text === '' ? '' : `\`${text}\``} | ${schema.description ?? ''} |`
  })
  return [
    '# Configuration',
    '',
    'Everything is set by environment variables, read once at the start. Printed from `apps/server/src/config.ts` by `node tools/write-documents.ts`.',
    '',
    '| variable | without it | meaning |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function mapRequirements(): string {
  const tests = collectTitles()
  const ids = Object.entries(spokenFor).flatMap(([group, numbers]) =>
    numbers.map((number) => `${group}-${String(number).padStart(2, '0')}`),
  )
  const rows = ids.map((id) => {
    const found = tests.filter(({ title }) => title.includes(id))
    const shown = found.map(({ title, file }) => `${title.replaceAll('|', '\\|')} (\`${file}\`)`)
    return `| ${id} | ${shown.length > 0 ? shown.join('<br>') : '**open**'} |`
  })
  return [
    '# Requirements and the tests that show them',
    '',
    'Each row names the tests whose titles carry the requirement. Printed from the tests by `node tools/write-documents.ts`.',
    '',
    '| requirement | shown by |',
    '|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function collectTitles(): { title: string; file: string }[] {
  const names = globSync(['{apps,packages,tools}/**/*.test.ts', 'e2e/**/*.spec.ts'], {
    cwd: root,
    exclude: (name) => name.includes('node_modules'),
  }).sort()
  const call = /^\s*(?:test|onBothDatabases)\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gm
  return names.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(call)].map(([, , title = '']) => ({
      title: title.replace(/\\(['"`])/g, '$1'),
      file,
    })),
  )
}

const onlyCheck = process.argv.includes('--check')
for (const [path, print] of Object.entries(documents)) {
  const target = join(root, path)
  const printed = print()
  const current = existsSync(target) ? readFileSync(target, 'utf8') : ''
  if (current === printed) continue
  if (onlyCheck) {
    console.error(`${path} is stale: run node tools/write-documents.ts`)
    process.exitCode = 1
  } else {
    writeFileSync(target, printed)
  }
}
