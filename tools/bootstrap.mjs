// Plain JavaScript on purpose: these lines run on whatever Node a newcomer has, before ours is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
export const ownNode = join(root, 'node_modules', '.bin', 'node')
const wantedMajor = 26
const stamp = join(root, 'node_modules', '.installed-for')

/** True when the process that runs this is already the Node the project brings. */
export const runsOnOwnNode = () => Number(process.versions.node.split('.')[0]) >= wantedMajor

/** Installs exactly what the lockfile names, unless that has been done for this very lockfile. */
export function installOnce() {
  const [major = 0] = process.versions.node.split('.').map(Number)
  if (major < 20) stop('Node 20 or newer is needed to install; the project then brings its own.')
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  if (existsSync(ownNode) && existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  console.log('Installing what the lockfile names …')
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (status !== 0) stop('Installing failed; the lines above say why.')
  makeOwnNodeStart()
  writeFileSync(stamp, lock)
}

/** Runs the checks of `.githooks` before each commit of this clone. */
export function useGitHooks() {
  if (existsSync(join(root, '.git'))) spawnSync('git', ['config', 'core.hooksPath', '.githooks'], { cwd: root })
}

/** True where Debian's packages may be installed: as root, unless the command says `--no-system-packages`. */
export const mayInstallSystemPackages = () =>
  process.getuid?.() === 0 && existsSync('/usr/bin/apt-get') && !process.argv.includes('--no-system-packages')

/** Node needs one library that small systems come without: installs it where that may be done, or says what would. */
function makeOwnNodeStart() {
  if (tryOwnNode().status === 0) return
  const remedy = 'apt-get update && apt-get install --yes libatomic1'
  if (mayInstallSystemPackages()) {
    console.log('Installing libatomic1 from the system’s packages …')
    spawnSync('sh', ['-c', `(${remedy}) >/dev/null`], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  }
  const { status, stderr, error } = tryOwnNode()
  if (status === 0) return
  stop(
    `The Node that was installed does not start: ${stderr?.trim() || error}\nOn Debian and Ubuntu this may help: ${remedy}`,
  )
}

const tryOwnNode = () => spawnSync(ownNode, ['--version'], { encoding: 'utf8' })

/**
 * Runs a script on the project's own Node and ends with its exit code.
 * @param {string} script
 * @param {readonly string[]} args
 */
export function runOnOwnNode(script, args) {
  const { status, signal } = spawnSync(ownNode, [join(root, script), ...args], { cwd: root, stdio: 'inherit' })
  process.exitCode = status ?? (signal ? 1 : 0)
}

/** @param {string} reason */
function stop(reason) {
  console.error(reason)
  process.exit(1)
}
