import { createHash } from 'node:crypto'
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { build, defineConfig, type Plugin, type Rolldown } from 'vite'

/** Only this font file is needed to paint the first line of text; every other one waits until a glyph asks for it. */
const firstFont = /commissioner-latin-flar-normal.*\.woff2$/

function preloadFirstFont(): Plugin {
  return {
    name: 'preload-first-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const font = Object.keys(bundle ?? {}).find((fileName) => firstFont.test(fileName))
        if (!font) throw new Error('The build holds no Latin Commissioner file to preload')
        return [
          {
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${font}`, crossorigin: true },
            injectTo: 'head-prepend',
          },
        ]
      },
    },
  }
}

/**
 * What is always asked for together lies together: a chunk of its own costs each first visit its frame, and packs worse.
 * A module goes into the first group that it fits.
 */
const groups = [
  {
    name: 'ground',
    test: anyOf(
      /node_modules\/(react|react-dom|scheduler|react-router)\//,
      /lucide-react\/dist\/esm\/(shared\/|Icon\.|createLucideIcon\.|context\.|icons\/check\.)/,
      /web\/src\/components\/ui\/(button|card|class-names|steady-label)\./,
      /web\/src\/(lib\/use-observable|strings\/(area|controls|crash|format|product))\./,
      /vite\/preload-helper/,
    ),
  },
  {
    // Before what imports it, which every page loads.
    name: 'room-limits',
    includeDependenciesRecursively: false,
    test: /contract\/src\/(portal|session)-limits\./,
  },
  {
    name: 'content-limits',
    includeDependenciesRecursively: false,
    test: /contract\/src\/content-limits\./,
  },
  {
    // Small modules that the landing page loads: alone, each would be a file of its own. Before what re-exports limits.
    name: 'signed-out',
    includeDependenciesRecursively: false,
    test: anyOf(
      /lucide-react\/dist\/esm\/icons\/(trash|x)\./,
      /web\/src\/strings\/(account\/(landing|password-reset|sign-in)|portals\/portal-access|settings|shell)\./,
      /web\/src\/(components\/(brand\/(arch-lines|pin-plates)|ui\/(banner|bar|icon-button|skeleton))|lib\/(api\/(api-context|auth|claims)|keys\/device-store))\./,
      /web\/src\/features\/(account\/(accounts-context|billing\/operator-contact|landing\/back-button|security\/after-deletion|sign-in\/(delay|load-sign-in|sign-out-lock|use-sign-in))|portals\/(interrupted-(portal|until)|portal-entry|pairing\/(portal-access-card|portal-join-form))|sessions\/sessions-context)\./,
      /web\/src\/app\/(get-services|portal-access|providers|services|layout\/(account-layout|area-page|crash-boundary|crash-screen|empty-bar|server-away-screen))\./,
      /web\/src\/features\/(account\/(sign-in\/(auth-controller|session-lifetime-store)|sign-up\/upgrade-offer-store)|sessions\/room\/(active-session|session-controller))\./,
      /web\/src\/lib\/(api\/query-client|keys\/(key-ring|stored-keys|tab-key-exchange))\./,
      /client\/src\/session-lifetime\./,
      /contract\/src\/(account-limits|auth|licence-types|session-shapes|system)\./,
    ),
  },
  {
    name: 'calls',
    test: anyOf(
      /node_modules\/zod\//,
      /contract\/src\/(endpoint|fields|error-codes|ignore|limits|formats|check-connection)\./,
      /client\/src\/(call|response|request|http|errors|observable|clock|server-clock|connectivity|create-connectivity)\./,
      /web\/src\/components\/brand\/(seal|logo)\./,
      /web\/src\/(components\/parts\/(lazy-part|part-boundary)|lib\/api\/watch-network)\./,
      /browser\/src\/(load-code|server-clock)\./,
      /web\/src\/strings\/errors\/(errors|message-for)\./,
    ),
  },
  {
    name: 'receiving',
    // What else the formats can do is loaded by the chunks that need it.
    includeDependenciesRecursively: false,
    test: anyOf(
      /(transfers\/src\/engine\/download\/(?!decrypt-worker|session-source|own-file-source)|client\/src\/(sharing\/shared-file|throughput))/,
      /contract\/src\/sharing\./,
      /(transfers\/src\/engine\/(transfer|concurrency|job|job-list)|browser\/src\/locks)\./,
      /crypto\/src\/(base64url|bytes|envelope|file-keys|gcm|hash|header|hkdf|labels|name|padding|random)\./,
      /transfers\/src\/browser\/(guard-unload|downloads\/(downloads|save-received-file|private-files|save-blob))\./,
      /web\/src\/(strings\/errors\/download-errors|components\/(brand\/transfer-bar|transfers\/transfer-progress))\./,
      /crypto\/src\/(errors|file-extension|file-path|hidden-characters|safe-file-name|secret|share|sizes|wrap)\./,
      /lucide-react\/dist\/esm\/icons\/download\./,
      /web\/src\/(lib\/use-now|components\/names\/visible-(file-name|name))\./,
      /web\/src\/strings\/remaining-time\./,
      /web\/src\/components\/brand\/(hour-ring|time-band)\./,
    ),
  },
  {
    name: 'widgets',
    includeDependenciesRecursively: false,
    test: anyOf(
      /@base-ui\/react\/(tabs\/|merge-props\/|internals\/(composite\/|direction-context\/|use-button\/|createBaseUIEventDetails|getStateAttributesProps|reason-parts|stateAttributesMapping|TransitionStatusDataAttributes|use(AnimationsFinished|BaseUiId|OpenChangeComplete|RenderElement|TransitionStatus)\.)|utils\/(dispatchClick|getFinite|resolve|useFocusableWhenDisabled))/,
      /@base-ui\/react\/floating-ui-react\/utils\/composite\./,
      /@base-ui\/utils\/(useMergedRefs|useAnimationFrame|shadowDom|useId|useStableCallback|formatErrorMessage|getReactElementRef|useRefWithInit|useForcedRerendering|empty|reactVersion|useOnMount|useIsoLayoutEffect|mergeObjects|inertValue|owner|safeReact|useControlled|isElementDisabled)\./,
      /@floating-ui\/utils\/dist\/floating-ui\.utils\.dom\./,
    ),
  },
  {
    name: 'names',
    includeDependenciesRecursively: false,
    test: /web\/src\/components\/names\/(name|visible-text)\./,
  },
  {
    name: 'queries',
    includeDependenciesRecursively: false,
    test: anyOf(
      /node_modules\/@tanstack\/query-core\/build\/modern\/(?!.*(observer|hydration|streamed)).*\.js/i,
      /node_modules\/@tanstack\/react-query\/build\/modern\/(QueryClientProvider|queryOptions)\./,
    ),
  },
  {
    // Small modules of signed-in pages: each file of its own is listed in the script that every page loads.
    name: 'account',
    includeDependenciesRecursively: false,
    test: anyOf(
      /contract\/src\/(billing|membership|organization-roles|organizations)\./,
      /client\/src\/(check-listed-times|link-digits)\./,
      /web\/src\/lib\/(ask-again|check-listed|format-price|api\/(account\.queries|admin-status|change-credential|membership)|keys\/(confirm-password|is-password-invalid))\./,
      /transfers\/src\/browser\/keep-awake\./,
      /web\/src\/(components\/parts\/loaded|components\/ui\/(badge|copy-text|empty-state|retry-banner|overlays\/confirm-mutation-dialog|hooks\/use-(countdown|height-variable|is-phone|last-shown)|inputs\/(focus-on-mount|is-enter))|strings\/(admin\/admin-link|organization\/organization-link|device-name))\./,
      /web\/src\/features\/(account\/(billing\/(checkout|use-buyer)|sign-up\/plans|password-strength\/reauthentication-context|security\/security-context)|chat\/chat-context)\./,
      /lucide-react\/dist\/esm\/icons\/chevron-down\./,
    ),
  },
  {
    name: 'forms',
    includeDependenciesRecursively: false,
    test: anyOf(
      /web\/src\/(components\/ui\/(inputs\/(checkbox|field|form|form-alert|password-field|pin-field|plain-digits|text-field))|components\/forms\/use-form|lib\/use-required-context)\./,
      /web\/src\/lib\/api\/(auth-errors|config\.query)\./,
      /web\/src\/features\/account\/(emailed-link-parameters|sign-in\/identifier)\./,
    ),
  },
]

function anyOf(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'))
}

const target = ['chrome123', 'edge123', 'firefox128', 'safari17.5']
const serviceWorkerQuery = '?service-worker'
const developmentServiceWorker = {
  url: '/decrypt-worker.js',
  source: join(import.meta.dirname, '../../packages/transfers/src/browser/service-worker/decrypt.worker.ts'),
}

/**
 * Gives the address of a service worker for its source file. It lies at the top, to see every page, as one script of its
 * own, under a name that changes with what is in it.
 */
function serviceWorker(): Plugin {
  let isBuild = false
  return {
    name: 'service-worker',
    enforce: 'pre',
    configResolved: ({ command }) => {
      isBuild = command === 'build'
    },
    async resolveId(id, importer) {
      if (!id.endsWith(serviceWorkerQuery)) return null
      const found = await this.resolve(id.slice(0, -serviceWorkerQuery.length), importer, { skipSelf: true })
      return found && `${found.id}${serviceWorkerQuery}`
    },
    async load(id) {
      if (!id.endsWith(serviceWorkerQuery)) return null
      if (!isBuild) return `export const serviceWorkerUrl = ${JSON.stringify(developmentServiceWorker.url)}`
      const code = await bundleAlone(id.slice(0, -serviceWorkerQuery.length))
      const fileName = `decrypt-worker-${createHash('sha256').update(code).digest('hex').slice(0, 12)}.js`
      this.emitFile({ type: 'asset', fileName, source: code })
      return `export const serviceWorkerUrl = ${JSON.stringify(`/${fileName}`)}`
    },
    configureServer({ middlewares }) {
      middlewares.use(developmentServiceWorker.url, (_request, response, next) => {
        response.setHeader('Content-Type', 'text/javascript')
        bundleAlone(developmentServiceWorker.source).then((code) => response.end(code), next)
      })
    },
  }
}

/** One classic script, since browsers load modules into service workers only of late. */
async function bundleAlone(entry: string): Promise<string> {
  const built = await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'warn',
    build: {
      target,
      write: false,
      rolldownOptions: { input: entry, output: { format: 'iife', codeSplitting: false } },
    },
  })
  return (built as Rolldown.RolldownOutput).output[0].code
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), serviceWorker(), preloadFirstFont()],
  build: {
    target,
    sourcemap: false,
    // The licences of the bundled packages ask for their notices.
    license: { fileName: 'licenses.txt' },
    // A `data:` URL is refused by the content policy the server sends.
    assetsInlineLimit: 0,
    // Every supported browser knows modulepreload.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        entryFileNames: 'assets/[name]-[hash].js',
        // Every first visit loads the list of all chunks, in which hashes do not compress.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
        codeSplitting: { groups },
      },
    },
  },
  worker: { format: 'es' },
})
