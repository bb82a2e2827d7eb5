import { createHash } from 'node:crypto'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { build, defineConfig, type Plugin, type Rolldown } from 'vite'

/** The server the development page talks to; `npm start` listens there unless told otherwise. */
const server = process.env.SALLYPORT_SERVER ?? 'http://localhost:8080'

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
      /lucide-react\/dist\/esm\/(shared\/|Icon\.|createLucideIcon\.|context\.)/,
      /web\/src\/ui\/(button|class-names|steady-label)\./,
      /vite\/preload-helper/,
    ),
  },
  {
    // Before what imports it, which every page loads.
    name: 'portal-limits',
    includeDependenciesRecursively: false,
    test: /contract\/src\/portal-limits\./,
  },
  {
    name: 'calls',
    test: anyOf(
      /node_modules\/zod\//,
      /contract\/src\/(endpoint|fields|error-codes|limits|formats)\./,
      /client\/src\/(call|answer|request|http|errors|observable)\./,
      /web\/src\/motifs\/(seal|mark)\./,
    ),
  },
  {
    name: 'receiving',
    // What else the formats can do comes with whoever needs it.
    includeDependenciesRecursively: false,
    test: anyOf(
      /client\/src\/(download\/(?!open-lane|session-source)|sharing\/shared-file|throughput)/,
      /contract\/src\/(files|sharing)\./,
      /crypto\/src\/(base64url|bytes|envelope|file-keys|gcm|hash|header|hkdf|labels|name|padding|random)\./,
      /web\/src\/(transfers\/(downloads|guard-unload|hand-over-file|private-files|save-blob)|motifs\/transfer-bar)\./,
      /crypto\/src\/(file-path|safe-file-name|secret|share|sizes|wrap)\./,
      /lucide-react\/dist\/esm\/icons\/download\./,
      /web\/src\/ui\/use-now\./,
    ),
  },
  {
    name: 'forms',
    includeDependenciesRecursively: false,
    test: anyOf(
      /web\/src\/ui\/(checkbox|field|form-alert|password-field|pin-field|text-field|use-required)\./,
      /web\/src\/api\/(auth-words|config\.query)\./,
    ),
  },
]

function anyOf(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'))
}

const target = ['chrome123', 'edge123', 'firefox128', 'safari17.5']
const serviceWorkerQuery = '?service-worker'
const developmentServiceWorker = '/decrypt-worker.js'

/**
 * Gives the address of a service worker for its source file. It lies at the top, to see every page, as one script of its
 * own, under a name that changes with what is in it.
 */
function serviceWorker(): Plugin {
  let isBuild = false
  let source = ''
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
      source = id.slice(0, -serviceWorkerQuery.length)
      if (!isBuild) return `export const serviceWorkerUrl = ${JSON.stringify(developmentServiceWorker)}`
      const code = await bundleAlone(source)
      const fileName = `decrypt-worker-${createHash('sha256').update(code).digest('hex').slice(0, 12)}.js`
      this.emitFile({ type: 'asset', fileName, source: code })
      return `export const serviceWorkerUrl = ${JSON.stringify(`/${fileName}`)}`
    },
    configureServer({ middlewares }) {
      middlewares.use(developmentServiceWorker, async (_request, response) => {
        response.setHeader('Content-Type', 'text/javascript')
        response.end(await bundleAlone(source))
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
    // A `data:` URL is refused by the content policy the server sends.
    assetsInlineLimit: 0,
    // Every supported browser knows modulepreload.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        entryFileNames: 'assets/[name]-[hash].js',
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
        codeSplitting: { groups },
      },
    },
  },
  worker: { format: 'es' },
  server: {
    proxy: {
      '/api': { target: server, ws: true },
      '/auth/v1': { target: server },
    },
  },
})
