import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { root } from './bootstrap.mjs'

const web = join(root, 'apps', 'web')
const dist = join(web, 'dist')
const stampFile = join(dist, '.built-from')
const compressible = /\.(js|css|html|svg|json|txt|webmanifest)$/

/**
 * Builds the web app unless the current build is from the same sources. A process of its own builds, because the memory
 * that this takes would stay with the server that is started next.
 */
export async function buildPageOnce(): Promise<void> {
  if (isBuilt(stampOfSources())) return
  const builder = spawn(process.execPath, [import.meta.filename, '--now'], { stdio: 'inherit' })
  const [code] = await once(builder, 'exit')
  if (code !== 0) throw new Error('The web app could not be built')
}

async function buildPage(): Promise<void> {
  const stamp = stampOfSources()
  if (isBuilt(stamp)) return
  console.log('Building the web app …')
  const { build } = await import('vite')
  await build({ root: web, logLevel: 'warn' })
  await compressAll()
  writeFileSync(stampFile, stamp)
}

const isBuilt = (stamp: string): boolean => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp

/** Hashes the name, size and modification time of all source files: fast enough for each start. */
function stampOfSources(): string {
  const patterns = ['apps/web/{src,public}/**/*', 'apps/web/*.*', 'packages/*/src/**/*.ts', 'package-lock.json']
  const digest = createHash('sha256')
  for (const name of globSync(patterns, { cwd: root }).sort()) {
    const { size, mtimeMs, isFile } = statOf(join(root, name))
    if (isFile) digest.update(`${name}\n${size}\n${mtimeMs}\n`)
  }
  return digest.digest('hex')
}

function statOf(path: string): { size: number; mtimeMs: number; isFile: boolean } {
  const stats = statSync(path)
  return { size: stats.size, mtimeMs: stats.mtimeMs, isFile: stats.isFile() }
}

/** Writes a Brotli and a gzip version of each text file, so that the server does not compress them per request. */
async function compressAll(): Promise<void> {
  const names = globSync('**/*', { cwd: dist }).filter((name) => compressible.test(name))
  await Promise.all(
    names.map(async (name) => {
      const path = join(dist, name)
      const content = await readFile(path)
      const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
      await writeFile(`${path}.br`, await promisify(brotliCompress)(content, quality))
      await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }))
    }),
  )
}

if (process.argv.includes('--now')) await buildPage()
