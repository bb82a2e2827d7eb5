/** The server's modules, each with those whose functions it may call. */
export const moduleDependencies = {
  auth: [],
  billing: [],
  files: [],
  portals: [],
  accounts: ['auth'],
  chat: ['files'],
  sessions: ['files', 'chat'],
  organizations: ['accounts', 'auth', 'billing'],
  admin: ['accounts', 'auth', 'billing'],
}

const tests = '(\\.test\\.tsx?$|/testing/|^(e2e|bench|packages/lying-server)/)'

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
      name: 'client-knows-no-transfers',
      severity: 'error',
      comment: 'The transfer engine stands on the client, and not the other way round.',
      from: { path: '^packages/client/' },
      to: { path: '^packages/(transfers|browser|lying-server)/' },
    },
    {
      name: 'transfer-engine-knows-no-platform',
      severity: 'error',
      comment: 'It runs in browsers and in Node, which pass it what differs.',
      from: { path: '^packages/transfers/src/engine/', pathNot: tests },
      to: { pathNot: '(^packages/(transfers/src/engine|client|contract|crypto|zip)/|/zod/)' },
    },
    {
      name: 'transfers-in-browsers-need-no-node',
      severity: 'error',
      from: { path: '^packages/(browser|transfers/src/browser)/', pathNot: tests },
      to: { path: '(^packages/transfers/src/node/|^node:)', pathNot: tests },
    },
    {
      name: 'only-the-page-uses-browsers',
      severity: 'error',
      comment: 'What needs a browser is for the page and for the browser half of the transfers.',
      from: { path: '^(packages|apps)/', pathNot: `^(packages/(browser|transfers/src/browser)|apps/web)/|${tests}` },
      to: { path: '^packages/(browser|transfers/src/browser)/' },
    },
    {
      name: 'web-and-server-do-not-meet',
      severity: 'error',
      from: { path: '^apps/([^/]+)/', pathNot: '^apps/cli/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'cli-shares-only-strings',
      severity: 'error',
      comment: 'The command line prints the sentences that the page shows.',
      from: { path: '^apps/cli/' },
      to: { path: '^apps/', pathNot: '^apps/(cli|web/src/strings)/' },
    },
    {
      name: 'server-opens-nothing',
      severity: 'error',
      comment: 'The server reads the public part of an envelope and nothing else.',
      from: { path: '^apps/server/src', pathNot: tests },
      to: { path: '^packages/crypto/', pathNot: '^packages/crypto/src/envelope\\.ts$' },
    },
    ...Object.entries(moduleDependencies).map(([module, others]) => ({
      name: 'modules-know-only-those-below',
      severity: 'error',
      comment: 'app/ passes one module to another.',
      from: { path: `^apps/server/src/modules/${module}/`, pathNot: tests },
      to: {
        path: '^apps/server/src/(modules|app)/',
        pathNot: `^apps/server/src/modules/(${[module, ...others].join('|')})/`,
      },
    })),
    {
      name: 'platform-knows-no-module',
      severity: 'error',
      from: { path: '^apps/server/src/platform/', pathNot: tests },
      to: { path: '^apps/server/src/(modules|app)/' },
    },
    {
      name: 'features-are-independent',
      severity: 'error',
      comment: 'app/ passes one feature to another.',
      from: { path: '^apps/web/src/features/([^/]+)/', pathNot: tests },
      to: { path: '^apps/web/src/(features|app)/', pathNot: '^apps/web/src/features/$1/' },
    },
    {
      name: 'components-know-no-feature',
      severity: 'error',
      from: { path: '^apps/web/src/components/', pathNot: tests },
      to: { path: '^apps/web/src/(features|app)/' },
    },
    {
      name: 'lib-knows-no-component',
      severity: 'error',
      from: { path: '^apps/web/src/lib/', pathNot: tests },
      to: { path: '^apps/web/src/(features|components|app)/' },
    },
    {
      name: 'strings-stand-alone',
      severity: 'error',
      from: { path: '^apps/web/src/strings/', pathNot: tests },
      to: { path: '^apps/web/src/(?!strings/)' },
    },
    {
      name: 'ui-knows-no-product',
      severity: 'error',
      from: { path: '^apps/web/src/components/ui/' },
      to: { path: '(^packages/|^apps/web/src/(?!components/ui/|strings/controls\\.ts$))' },
    },
    {
      name: 'only-stores-use-the-database',
      severity: 'error',
      from: {
        path: '^apps/server/src/',
        pathNot: `(\\.store\\.ts$|/src/(admin-command|context|main|server)\\.ts$|^apps/server/src/(app|platform/db)/|${tests})`,
      },
      to: { path: '(^apps/server/src/platform/db/|^node:sqlite|^sqlite|node_modules/(kysely|pg)/)' },
    },
    {
      name: 'stripe-is-loaded-on-demand',
      severity: 'error',
      comment: 'Loading it takes 113 ms and 37 MB, also on servers that do not use it.',
      from: { path: '^apps/server/src/', pathNot: tests },
      to: { path: 'node_modules/stripe/', dynamic: false, dependencyTypesNot: ['type-only'] },
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
