import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from './bootstrap.mjs'

interface Module {
  readonly source: string
  readonly dependencies: readonly { readonly resolved: string }[]
}

interface Violation {
  readonly from: string
  readonly to: string
  readonly rule: { readonly name: string }
}

interface Layout {
  readonly app: string
  readonly maxFolders: number
  readonly maxEdges: number
  /** The top folder of a source file; null for a file outside. */
  readonly folderOf: (path: string) => string | null
}

const folders = ['apps', 'packages', 'e2e', 'bench', 'tools']
const maxFilesInFolder = 20
const isTest = (path: string): boolean => /\.test\.tsx?$|\/(testing|gallery)\//.test(path)

const layouts: readonly Layout[] = [
  {
    app: 'apps/web',
    maxFolders: 8,
    maxEdges: 25,
    folderOf: (path) => /^apps\/web\/src\/([^/]+)\//.exec(path)?.[1] ?? null,
  },
  {
    app: 'apps/server',
    maxFolders: 19,
    maxEdges: 77,
    folderOf: (path) => /^apps\/server\/src\/(app|(?:modules|platform)\/[^/]+)\//.exec(path)?.[1] ?? null,
  },
]

const { summary, modules } = cruise()
const errors = [
  ...summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`),
  ...uncheckedSources().map((path) => `not checked: ${path}`),
  ...layouts.flatMap(measure),
  ...crowdedFolders(),
]
for (const error of errors) console.error(error)
if (errors.length === 0) console.log('No violations of the import rules.')
process.exitCode = errors.length === 0 ? 0 : 1

function cruise() {
  const { stdout } = spawnSync(
    join(root, 'node_modules', '.bin', 'depcruise'),
    ['--config', '.dependency-cruiser.mjs', '--output-type', 'json', ...folders],
    { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 },
  )
  return JSON.parse(stdout) as { summary: { violations: readonly Violation[] }; modules: readonly Module[] }
}

/** Prints the number of top folders and of import edges between them, and returns an error for each that is too high. */
function measure({ app, maxFolders, maxEdges, folderOf }: Layout): string[] {
  const names = new Set<string>()
  const edges = new Set<string>()
  for (const { source, dependencies } of modules) {
    const from = folderOf(source)
    if (from === null || isTest(source)) continue
    names.add(from)
    for (const { resolved } of dependencies) {
      const to = folderOf(resolved)
      if (to !== null && to !== from && !isTest(resolved)) edges.add(`${from} → ${to}`)
    }
  }
  console.log(`${app}: ${names.size} top folders, ${edges.size} import edges between them`)
  return [
    ...(names.size > maxFolders ? [`${app} has ${names.size} top folders, at most ${maxFolders}`] : []),
    ...(edges.size > maxEdges ? [`${app} has ${edges.size} edges between top folders, at most ${maxEdges}`] : []),
  ]
}

/** Folders of the apps with too many source files of their own. */
function crowdedFolders(): string[] {
  const counts = new Map<string, number>()
  for (const { source } of modules) {
    if (!/^apps\/.*\.tsx?$/.test(source) || isTest(source)) continue
    const folder = source.slice(0, source.lastIndexOf('/'))
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return (
    [...counts]
      // Migrations are one list, which only grows.
      .filter(([folder, count]) => count > maxFilesInFolder && !folder.endsWith('/migrations'))
      .map(([folder, count]) => `${folder} has ${count} source files, at most ${maxFilesInFolder}`)
  )
}

/** Tracked source files that the tool has not looked at. */
function uncheckedSources(): string[] {
  const seen = new Set(modules.map((module) => module.source))
  const { stdout } = spawnSync('git', ['ls-files', ...folders], { cwd: root, encoding: 'utf8' })
  return stdout
    .split('\n')
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts') && !name.startsWith('tools/seeded-violations/'))
    .filter((name) => !seen.has(name))
}
