import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from './bootstrap.mjs'

const folders = ['apps', 'packages', 'e2e', 'bench', 'tools']

/** Runs the import law, and fails as well when the tool has looked at fewer files than there are. */
function checkImports(): string[] {
  const { stdout } = spawnSync(
    join(root, 'node_modules', '.bin', 'depcruise'),
    ['--config', '.dependency-cruiser.mjs', '--output-type', 'json', ...folders],
    { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 },
  )
  const { summary, modules } = JSON.parse(stdout) as {
    summary: { violations: { from: string; to: string; rule: { name: string } }[] }
    modules: { source: string }[]
  }
  const seen = new Set(modules.map((module) => module.source))
  return [
    ...summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`),
    ...trackedSources()
      .filter((name) => !seen.has(name))
      .map((name) => `not looked at: ${name}`),
  ]
}

function trackedSources(): string[] {
  const { stdout } = spawnSync('git', ['ls-files', ...folders], { cwd: root, encoding: 'utf8' })
  return stdout
    .split('\n')
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts') && !name.startsWith('tools/seeded-violations/'))
}

const complaints = checkImports()
for (const complaint of complaints) console.error(complaint)
if (complaints.length === 0) console.log('The import law holds.')
process.exitCode = complaints.length === 0 ? 0 : 1
