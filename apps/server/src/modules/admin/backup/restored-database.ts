import type { ListedFile } from './object-list.ts'

/** A database after its restore, before a server uses it. */
export interface RestoredDatabase {
  /** Throws unless each table has as many rows as the manifest says. */
  requireTables(expected: Readonly<Record<string, number>>): Promise<void>
  migrate(): Promise<void>
  listVolumeIds(): Promise<string[]>
  moveToVolume(from: string, to: string): Promise<void>
  listFiles(): AsyncIterable<ListedFile>
  removeFiles(ids: readonly string[]): Promise<void>
  /** Ends all access that may have been revoked since, removes open uploads, and records the restore. */
  finish(secretsFolder: string): Promise<{ readonly authSessions: number; readonly openUploads: number }>
  close(): Promise<void>
}
