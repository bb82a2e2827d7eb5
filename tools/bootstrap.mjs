// Plain JavaScript on purpose: this file runs on any installed Node version before the project installs its own.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
export const ownNode = join(root, 'node_modules', '.bin', 'node')
const wantedMajor = 26
const stamp = join(root, 'node_modules', '.installed-for')

/** Whether this process already runs on the Node version of the project. */
export const runsOnOwnNode = () => Number(process.versions.node.split('.')[0]) >= wantedMajor

/** Installs the packages of the lockfile, unless they are already installed for this lockfile. */
export function installOnce() {
  const [major = 0] = process.versions.node.split('.').map(Number)
  if (major < 20) fail('Node 20 or newer is required for the installation; the project then installs its own version.')
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  if (existsSync(ownNode) && existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  console.log('Installing packages …')
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (status !== 0) fail('The installation failed; see the messages above.')
  ensureOwnNodeStarts()
  writeFileSync(stamp, lock)
}

/** Ends the process if the packages are not installed. */
export function requireInstalled() {
  if (!existsSync(ownNode)) fail('The packages are not installed yet. Run npm ci first.')
}

/** Enables the git hooks of `.githooks` in this clone. */
export function useGitHooks() {
  if (existsSync(join(root, '.git'))) spawnSync('git', ['config', 'core.hooksPath', '.githooks'], { cwd: root })
}

/** Whether Debian packages may be installed: as root on Debian and Ubuntu, unless `--no-system-packages` is given. */
export const mayInstallSystemPackages = () =>
  process.getuid?.() === 0 && existsSync('/usr/bin/apt-get') && !process.argv.includes('--no-system-packages')

/** @param {string} debianPackage */
export const installCommandFor = (debianPackage) => `apt-get update && apt-get install --yes ${debianPackage}`

/**
 * Installs a Debian package if that is allowed.
 * @param {string} debianPackage
 */
export function installSystemPackage(debianPackage, title = debianPackage) {
  if (!mayInstallSystemPackages()) return
  console.log(`Installing ${title} from the system packages …`)
  spawnSync('sh', ['-c', `(${installCommandFor(debianPackage)}) >/dev/null`], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
}

/** Checks that Node starts. It needs libatomic, which small systems lack: installs it if allowed, otherwise prints how to. */
function ensureOwnNodeStarts() {
  if (tryOwnNode().status === 0) return
  installSystemPackage('libatomic1')
  const { status, stderr, error } = tryOwnNode()
  if (status === 0) return
  const reason = stderr?.trim() || error
  fail(`The installed Node does not start: ${reason}\nOn Debian and Ubuntu, try: ${installCommandFor('libatomic1')}`)
}

const tryOwnNode = () => spawnSync(ownNode, ['--version'], { encoding: 'utf8' })

/** @param {string} reason */
function fail(reason) {
  console.error(reason)
  process.exit(1)
}
