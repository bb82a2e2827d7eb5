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

/** The long-lived secrets of an instance. Back them up; every node of the instance uses the same ones. */
export interface Secrets {
  /** Derives the salts for login secrets. */
  readonly salt: Buffer
  /** Derives the tokens of share links; the database stores only their digests. */
  readonly share: Buffer
  /** Key for the hashes of PINs and of the addresses that try them. */
  readonly pin: Buffer
  /** Encrypts the server's shares of session keys. */
  readonly session: Buffer
  /** Key for the hashes that link the rows of the audit log. */
  readonly audit: Buffer
  /** The folder of the secret files, for modules that store a secret of their own. */
  readonly folder: string
}

const secretBytes = 32

/** Reads the secrets in this folder and creates those that do not exist yet. */
export function openSecrets(folder: string): Secrets {
  const open = (name: string): Buffer => openSecret(folder, name)
  return {
    salt: open('salt'),
    share: open('share'),
    pin: open('pin'),
    session: open('session'),
    audit: open('audit'),
    folder,
  }
}

/** Reads one secret, and creates it if it does not exist yet. */
export function openSecret(folder: string, name: string): Buffer {
  const path = join(folder, `${name}.key`)
  const secret = readOrCreateSecretFile(path, () => randomBytes(secretBytes))
  if (secret.length !== secretBytes) throw new Error(`${path} is damaged: expected ${secretBytes} bytes`)
  return secret
}

/**
 * Reads a secret file, creating it atomically and durably if it does not exist. Throws if users other than its owner
 * can read it.
 */
export function readOrCreateSecretFile(path: string, create: () => Buffer): Buffer {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const present = statSync(path, { throwIfNoEntry: false })
  if (!present) createFileOnce(path, create())
  requireOwnerOnly(path)
  return readFileSync(path)
}

function requireOwnerOnly(path: string): void {
  const { mode } = statSync(path)
  if (process.platform === 'win32' || (mode & 0o077) === 0) return
  throw new Error(`${path} can be read by others. Run chmod 600 on it and start again.`)
}

/** Replaces a secret file atomically: after a crash it has either the old content or the new one. */
export function replaceSecretFile(path: string, content: Buffer): void {
  renameSync(writeDraft(path, content), path)
  syncFolder(dirname(path))
}

/** If another process creates the file at the same moment, the first one wins. */
function createFileOnce(path: string, content: Buffer): void {
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

/** Writes the content to disk under a temporary name in the same folder. */
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
