import { randomUUID } from 'node:crypto'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Creates 100 stored bytes that belong to no file since two hours, and returns their folder. */
export function createOrphan(dataFolder: string): string {
  const id = randomUUID()
  const path = join(dataFolder, 'volumes', 'main', id.slice(-2), id)
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, '0'), 'x'.repeat(100))
  const twoHoursAgo = new Date(Date.now() - 2 * 3_600_000)
  utimesSync(path, twoHoursAgo, twoHoursAgo)
  return path
}
