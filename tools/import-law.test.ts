import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './bootstrap.mjs'

/** For each rule a file that violates it, and the file that it imports. */
const violations: Readonly<Record<string, readonly [from: string, to: string]>> = {
  'no-cycles': ['packages/contract/src/a-again.ts', 'packages/contract/src/a.ts'],
  'no-dangling': ['apps/web/src/app/page.ts', 'apps/web/src/app/missing.ts'],
  'packages-know-no-app': ['packages/client/src/call.test.ts', 'apps/web/src/app/shell.ts'],
  'crypto-stands-alone': ['packages/crypto/src/keys.ts', 'packages/contract/src/limits.ts'],
  'envelopes-are-read-without-keys': ['packages/crypto/src/envelope.ts', 'packages/crypto/src/hkdf.ts'],
  'contract-knows-only-zod': ['packages/contract/src/files.ts', 'packages/crypto/src/index.ts'],
  'client-knows-only-packages': ['packages/client/src/upload.ts', 'tools/anything.ts'],
  'client-knows-no-transfers': ['packages/client/src/upload.test.ts', 'packages/transfers/src/engine/send.ts'],
  'transfer-engine-knows-no-platform': ['packages/transfers/src/engine/queue.ts', 'packages/browser/src/database.ts'],
  'transfers-in-browsers-need-no-node': [
    'packages/transfers/src/browser/save.ts',
    'packages/transfers/src/node/sink.ts',
  ],
  'only-the-page-uses-browsers': ['apps/cli/src/run.ts', 'packages/browser/src/locks.ts'],
  'web-and-server-do-not-meet': ['apps/web/src/app/root.ts', 'apps/server/src/config.ts'],
  'cli-shares-only-strings': ['apps/cli/src/get.ts', 'apps/web/src/app/title.ts'],
  'server-opens-nothing': ['apps/server/src/modules/files/open.ts', 'packages/crypto/src/index.ts'],
  'modules-know-only-those-below': ['apps/server/src/modules/files/list.ts', 'apps/server/src/modules/sessions/pin.ts'],
  'platform-knows-no-module': ['apps/server/src/platform/storage/volume.ts', 'apps/server/src/modules/files/token.ts'],
  'features-are-independent': ['apps/web/src/features/files/list.ts', 'apps/web/src/features/chat/page.ts'],
  'components-know-no-feature': ['apps/web/src/components/files/icon.ts', 'apps/web/src/features/files/page.ts'],
  'lib-knows-no-component': ['apps/web/src/lib/keys/ring.ts', 'apps/web/src/components/ui/button.ts'],
  'strings-stand-alone': ['apps/web/src/strings/files.ts', 'apps/web/src/lib/format.ts'],
  'ui-knows-no-product': ['apps/web/src/components/ui/field.ts', 'packages/contract/src/limits.ts'],
  'only-stores-use-the-database': [
    'apps/server/src/modules/files/list.service.ts',
    'apps/server/src/platform/db/open.ts',
  ],
  'stripe-is-loaded-on-demand': ['apps/server/src/modules/billing/pay.ts', 'node_modules/stripe/stripe.js'],
  'rules-are-pure': ['apps/server/src/modules/files/expiry.rules.ts', 'apps/server/src/errors.ts'],
  'routes-are-mounted-by-the-root': [
    'apps/server/src/modules/files/read.service.ts',
    'apps/server/src/modules/files/files.routes.ts',
  ],
  'stores-know-no-service': [
    'apps/server/src/modules/files/files.store.ts',
    'apps/server/src/modules/files/read.service.ts',
  ],
  'one-root': ['apps/server/src/platform/http/app.ts', 'apps/server/src/main.ts'],
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

test('the import rules report a seeded violation of each rule', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-law-'))
  plantViolations(folder)
  const { default: config } = (await import(join(root, '.dependency-cruiser.mjs'))) as {
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
  expect(Object.keys(violations).sort()).toEqual([...new Set(config.forbidden.map((rule) => rule.name))].sort())
  for (const [rule, [from]] of Object.entries(violations)) expect(found).toContain(`${rule} in ${from}`)
})

const foldersIn = (path: string): string[] =>
  readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []))

test('every folder of the web app and the server is a layer of the import rules, and every module has a rule', async () => {
  const { moduleDependencies } = (await import(join(root, '.dependency-cruiser.mjs'))) as {
    moduleDependencies: Readonly<Record<string, readonly string[]>>
  }

  expect(foldersIn('apps/server/src').toSorted()).toEqual(['app', 'modules', 'platform', 'testing'])
  expect(foldersIn('apps/server/src/modules').toSorted()).toEqual(Object.keys(moduleDependencies).toSorted())
  expect(foldersIn('apps/web/src').toSorted()).toEqual(
    ['app', 'components', 'features', 'gallery', 'lib', 'strings', 'styles', 'testing'].toSorted(),
  )
})
