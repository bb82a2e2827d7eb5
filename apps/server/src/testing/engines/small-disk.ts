import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'vitest'
import type { onBothDatabases } from './databases.ts'

/** Skips the test where this machine does not permit mounting a disk. */
export const skipUnlessMountable = (on: typeof onBothDatabases): typeof onBothDatabases =>
  canMount() ? on : (title) => test.skip(`${title} (requires permission to mount a disk)`, () => undefined)

interface SmallDisk {
  readonly folder: string
  unmount(): void
}

/** Mounts a tmpfs of this size. */
export function mountSmallDisk(bytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch (error) {
    rmdirSync(folder)
    throw error
  }
  return {
    folder,
    unmount() {
      execFileSync('umount', [folder])
      rmdirSync(folder)
    },
  }
}

/** Appends to the file until the disk is full. */
export function fillDisk(path: string): void {
  for (let bytes = 4 * 1024 * 1024; bytes >= 1; bytes = Math.floor(bytes / 2)) {
    try {
      for (;;) appendFileSync(path, Buffer.alloc(bytes))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }
}

function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  if (spawnSync('mount', ['--version']).status !== 0) return false
  try {
    mountSmallDisk(64 * 1024).unmount()
    return true
  } catch {
    return false
  }
}
