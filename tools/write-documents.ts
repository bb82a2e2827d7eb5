import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Config } from '../apps/server/src/config.ts'
import { secretNames } from '../apps/server/src/secret-files.ts'
import { root } from './bootstrap.mjs'

/** The groups of requirements in the order of the specification. */
const groups = ['SHL', 'ACC', 'FIL', 'SHR', 'SET', 'CHT', 'SES', 'POR', 'PLN', 'ORG', 'ADM']

/** Generated documents by path. */
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
    'Environment variables set everything and are read once at startup. Generated from `apps/server/src/config.ts` by `node tools/write-documents.ts`.',
    '',
    '| variable | default | meaning |',
    '|---|---|---|',
    ...rows,
    '',
    `Secrets can be in files instead of the environment: ${secretNames.map((name) => `\`${name}_FILE\``).join(', ')} each name a file whose content is used, without the line break at its end.`,
    '',
  ].join('\n')
}

function mapRequirements(): string {
  const tests = collectTitles()
  const ids = [...new Set(tests.flatMap(({ title }) => title.match(requirement) ?? []))].sort(byGroup)
  const rows = ids.map((id) => {
    const found = tests.filter(({ title }) => title.includes(id))
    const shown = found.map(({ title, file }) => `${title.replaceAll('|', '\\|')} (\`${file}\`)`)
    return `| ${id} | ${shown.join('<br>')} |`
  })
  return [
    '# Requirements and their tests',
    '',
    'Each row lists the tests whose titles name the requirement. Generated from the tests by `node tools/write-documents.ts`.',
    '',
    '| requirement | tests |',
    '|---|---|',
    ...rows,
    '',
  ].join('\n')
}

const requirement = new RegExp(`\\b(?:${groups.join('|')})-\\d\\d\\b`, 'g')

const byGroup = (one: string, other: string): number =>
  groups.indexOf(one.slice(0, 3)) - groups.indexOf(other.slice(0, 3)) || one.localeCompare(other)

function collectTitles(): { title: string; file: string }[] {
  const names = globSync(['{apps,packages,tools}/**/*.test.ts', 'e2e/**/*.spec.ts'], {
    cwd: root,
    exclude: (name) => name.includes('node_modules'),
  }).sort()
  const call = /^\s*(?:test|on[A-Z]\w+)\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gm
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
