import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/** The keys an instance cannot do without; they belong in its backups, and every node of it holds the same. */
export interface Secrets {
  /** Makes the salts that addresses derive their login secret from. */
  readonly salt: Buffer
  /** Makes the tokens in the addresses of links, of which the database knows only digests. */
  readonly share: Buffer
  /** What PINs, and the addresses they are tried from, are hashed under. */
  readonly pin: Buffer
  /** Seals the server's shares of the keys of sessions. */
  readonly session: Buffer
  /** Where they lie, for features that keep a secret of their own. */
  readonly folder: string
}

const secretBytes = 32

/** Reads the secrets in this folder, and makes on the first start what is not there yet. */
export function openSecrets(folder: string): Secrets {
  const open = (name: string): Buffer => {
    const path = join(folder, `${name}.key`)
    const secret = keepSecretFile(path, () => randomBytes(secretBytes))
    if (secret.length !== secretBytes) throw new Error(`${path} is damaged: ${secretBytes} bytes are expected`)
    return secret
  }
  return { salt: open('salt'), share: open('share'), pin: open('pin'), session: open('session'), folder }
}

/**
 * The content of a secret file, which is made when it is not there: whole or not at all, on the disk before it is used.
 * Throws when others than its owner may read it.
 */
export function keepSecretFile(path: string, make: () => Buffer): Buffer {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const present = statSync(path, { throwIfNoEntry: false })
  if (!present) writeOnce(path, make())
  refuseOpenFile(path)
  return readFileSync(path)
}

function refuseOpenFile(path: string): void {
  const { mode } = statSync(path)
  if (process.platform === 'win32' || (mode & 0o077) === 0) return
  throw new Error(`${path} can be read by others. Take that right away (chmod 600) and start again.`)
}

/** Puts new content in the place of a secret file: a crash leaves the old one or the new one, never half of it. */
export function replaceSecretFile(path: string, content: Buffer): void {
  renameSync(writeDraft(path, content), path)
  syncFolder(dirname(path))
}

/** Another process that starts at the same moment may win; then its secret is the one that counts. */
function writeOnce(path: string, content: Buffer): void {
  const draft = writeDraft(path, content)
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(draft)
  }
  syncFolder(dirname(path))
}

/** The content on the disk, under a name of its own beside the file it is for. */
function writeDraft(path: string, content: Buffer): string {
  const draft = `${path}.${randomBytes(8).toString('hex')}.draft`
  const file = openSync(draft, 'wx', 0o600)
  try {
    writeFileSync(file, content)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  return draft
}

function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
