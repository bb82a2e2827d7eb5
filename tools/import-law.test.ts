import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './bootstrap.mjs'

/** For each rule of the law a file that breaks it, and what that file imports. */
const violations: Readonly<Record<string, readonly [from: string, to: string]>> = {
  'no-cycles': ['packages/contract/src/a-again.ts', 'packages/contract/src/a.ts'],
  'no-dangling': ['apps/web/src/app/page.ts', 'apps/web/src/app/missing.ts'],
  'packages-know-no-app': ['packages/client/src/call.test.ts', 'apps/web/src/app/shell.ts'],
  'crypto-stands-alone': ['packages/crypto/src/keys.ts', 'packages/contract/src/limits.ts'],
  'envelopes-are-read-without-keys': ['packages/crypto/src/envelope.ts', 'packages/crypto/src/hkdf.ts'],
  'contract-knows-only-zod': ['packages/contract/src/files.ts', 'packages/crypto/src/index.ts'],
  'client-knows-only-packages': ['packages/client/src/upload.ts', 'tools/anything.ts'],
  'web-and-server-do-not-meet': ['apps/web/src/app/root.ts', 'apps/server/src/config.ts'],
  'server-opens-nothing': ['apps/server/src/uploads/open.ts', 'packages/crypto/src/index.ts'],
  'features-do-not-meet': ['apps/server/src/files/list.ts', 'apps/server/src/sharing/token.ts'],
  'shared-knows-no-feature': ['apps/server/src/blobs/volume.ts', 'apps/server/src/sharing/token.ts'],
  'ui-knows-no-product': ['apps/web/src/ui/button.ts', 'packages/contract/src/limits.ts'],
  'only-stores-use-the-database': ['apps/server/src/files/list.service.ts', 'apps/server/src/db/open.ts'],
  'rules-are-pure': ['apps/server/src/files/expiry.rules.ts', 'apps/server/src/errors.ts'],
  'routes-are-mounted-by-the-root': ['apps/server/src/files/read.service.ts', 'apps/server/src/files/files.routes.ts'],
  'stores-know-no-service': ['apps/server/src/files/files.store.ts', 'apps/server/src/files/read.service.ts'],
  'one-root': ['apps/server/src/http/app.ts', 'apps/server/src/main.ts'],
  'tests-are-leaves': ['packages/contract/src/formats.ts', 'packages/contract/src/formats.test.ts'],
}

function plantViolations(folder: string): void {
  const plant = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const [, to] of Object.values(violations))
    if (!to.endsWith('missing.ts')) plant(to, 'export const planted = 1\n')
  for (const [from, to] of Object.values(violations)) {
    const up = '../'.repeat(from.split('/').length - 1)
    plant(from, `import { planted } from '${up}${to}'\nexport const used = planted\n`)
  }
  plant('packages/contract/src/a.ts', "import { used } from './a-again.ts'\nexport const planted = used\n")
  plant('package.json', '{ "type": "module" }')
}

test('the import law catches every seeded violation, rule by rule', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-law-'))
  plantViolations(folder)
  const { default: law } = (await import(join(root, '.dependency-cruiser.mjs'))) as {
    default: { forbidden: { name: string }[] }
  }

  const { stdout } = spawnSync(
    join(root, 'node_modules', '.bin', 'depcruise'),
    ['--config', join(root, '.dependency-cruiser.mjs'), '--output-type', 'json', 'apps', 'packages', 'tools'],
    { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 26 },
  )
  rmSync(folder, { recursive: true })

  const found = (JSON.parse(stdout).summary.violations as { from: string; rule: { name: string } }[]).map(
    ({ rule, from }) => `${rule.name} in ${from}`,
  )
  expect(Object.keys(violations).sort()).toEqual(law.forbidden.map((rule) => rule.name).sort())
  for (const [rule, [from]] of Object.entries(violations)) expect(found).toContain(`${rule} in ${from}`)
})

test('the import law has a place for every folder of the page and of the server, and names no other', async () => {
  const { features, overseers, shared } = (await import(join(root, '.dependency-cruiser.mjs'))) as {
    features: string
    overseers: string
    shared: string
  }

  const named = [features, overseers, shared].flatMap((names) => names.split(' '))

  const folders = ['web', 'server'].flatMap((app) =>
    readdirSync(join(root, 'apps', app, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name),
  )
  expect(named.toSorted()).toEqual([...new Set(folders)].toSorted())
})
