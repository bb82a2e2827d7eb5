import { join, resolve } from 'node:path'
import type { Config } from '../config.ts'

/** Folders of the volumes: the configured ones, otherwise one in the data folder. */
export function volumeFolders({ VOLUMES }: Pick<Config, 'VOLUMES'>, dataFolder: string): string[] {
  return VOLUMES.length > 0 ? VOLUMES.map((path) => resolve(path)) : [join(dataFolder, 'volumes', 'main')]
}
