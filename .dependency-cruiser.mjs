/** Areas of the product, the same on both sides where both have them. */
export const features =
  'account-keys account-sign-ins accounts admin archive chat confirm files invitations portals security sessions set-password sharing upgrade'

/** What several areas use, and what therefore knows none of them. */
export const shared =
  'api auth blobs bus db file-views http intake jobs keys licences limits live messages motifs passwords post redis resources sealed second-factor service-worker system theme transfer-views transfers ui uploads words workers'

/** Folders that may know everything: they put areas together, show them or try them. */
export const overseers = 'app gallery styles testing'

const oneOf = (/** @type {string} */ names) => `(${names.replaceAll(' ', '|')})`
const tests = '(\\.test\\.tsx?$|/testing/|^(e2e|bench)/)'

/** Who may import whom. `docs/architecture.md` draws it; `tools/import-law.test.ts` proves that each rule bites. */
export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-dangling',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '\\?(service-)?worker' },
    },
    { name: 'packages-know-no-app', severity: 'error', from: { path: '^packages/' }, to: { path: '^apps/' } },
    {
      name: 'crypto-stands-alone',
      severity: 'error',
      from: { path: '^packages/crypto/src', pathNot: tests },
      to: { pathNot: '(^packages/crypto/src|node_modules/(hash-wasm|@noble/curves)/)' },
    },
    {
      name: 'envelopes-are-read-without-keys',
      severity: 'error',
      comment: 'What the server may import of crypto must not reach anything that handles a key.',
      from: { path: '^packages/crypto/src/envelope\\.ts$' },
      to: { pathNot: '^packages/crypto/src/(base64url|bytes|errors|header|message-parts|sealed-name|sizes)\\.ts$' },
    },
    {
      name: 'contract-knows-only-zod',
      severity: 'error',
      from: { path: '^packages/contract/src', pathNot: tests },
      to: { pathNot: '(^packages/contract/src|/zod/)' },
    },
    {
      name: 'client-knows-only-packages',
      severity: 'error',
      from: { path: '^packages/client/src', pathNot: tests },
      to: { pathNot: '(^packages/|/zod/)' },
    },
    {
      name: 'web-and-server-do-not-meet',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'server-opens-nothing',
      severity: 'error',
      comment: 'The server reads the public part of an envelope and nothing else.',
      from: { path: '^apps/server/src', pathNot: tests },
      to: { path: '^packages/crypto/', pathNot: '^packages/crypto/src/envelope\\.ts$' },
    },
    {
      name: 'features-do-not-meet',
      severity: 'error',
      comment: 'Let app/ hand one to the other.',
      from: { path: `^apps/([^/]+)/src/${oneOf(features)}/`, pathNot: tests },
      to: { path: `^apps/$1/src/${oneOf(features)}/`, pathNot: '^apps/$1/src/$2/' },
    },
    {
      name: 'shared-knows-no-feature',
      severity: 'error',
      from: {
        path: `^apps/[^/]+/src/${oneOf(shared)}/`,
        pathNot: tests,
      },
      to: { path: `^apps/[^/]+/src/${oneOf(features)}/` },
    },
    {
      name: 'ui-knows-no-product',
      severity: 'error',
      from: { path: '^apps/web/src/ui/' },
      to: { path: '(^packages/|^apps/web/src/(?!ui/))' },
    },
    {
      name: 'only-stores-use-the-database',
      severity: 'error',
      from: {
        path: '^apps/server/src/',
        pathNot: `(\\.store\\.ts$|/(main|server)\\.ts$|^apps/server/src/(app|db)/|${tests})`,
      },
      to: { path: '(^apps/server/src/db/|^node:sqlite|^sqlite|node_modules/(kysely|pg)/)' },
    },
    {
      name: 'rules-are-pure',
      severity: 'error',
      from: { path: '\\.rules\\.ts$' },
      to: { pathNot: '(\\.rules\\.ts$|^packages/contract/)' },
    },
    {
      name: 'routes-are-mounted-by-the-root',
      severity: 'error',
      from: { path: '^apps/server/src/', pathNot: `(/server\\.ts$|^apps/server/src/app/|\\.routes\\.ts$|${tests})` },
      to: { path: '\\.routes\\.ts$' },
    },
    {
      name: 'stores-know-no-service',
      severity: 'error',
      from: { path: '\\.store\\.ts$' },
      to: { path: '(\\.service|\\.routes)\\.ts$' },
    },
    {
      name: 'one-root',
      severity: 'error',
      from: { pathNot: `(${tests}|^tools/start\\.ts$)` },
      to: { path: '^apps/server/src/main\\.ts$' },
    },
    { name: 'tests-are-leaves', severity: 'error', from: { pathNot: tests }, to: { path: tests } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|node_modules/\\.cache)/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.css'],
    },
  },
}
