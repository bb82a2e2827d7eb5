import { basename } from 'node:path'
import type { ServerContext } from '../../../context.ts'
import type { BlobStore } from '../../../platform/storage/blob-store.ts'
import { type DiskSpace, readDiskSpace, usagePercent } from '../../../platform/storage/disk-space.ts'
import type { Machine } from './machine.ts'
import type { OverviewStore } from './overview.store.ts'

interface OverviewDeps extends Pick<ServerContext, 'volumes' | 'folder' | 'version' | 'clock' | 'now'> {
  readonly store: OverviewStore
  readonly machine: Pick<Machine, 'read'>
}

/** Counting reads many rows: all admins share one answer for this long. */
const cacheMs = 30_000
const slowDatabaseMs = 100
const degradedMs = 200

/** Figures of how the server runs and of what it stores. */
export function createOverview({ volumes, folder, version, store, machine, clock, now }: OverviewDeps) {
  const counts = cached(async () => {
    const [users, files, licences] = await Promise.all([store.countUsers(), store.sumFiles(), store.countLicences()])
    const active = await store.countActiveUsers(now())
    return { users, active, files, licences }
  })
  const volumeUse = cached(() => store.volumeUse())

  return {
    async stats() {
      const [responseMs, disks, dataDisk] = await Promise.all([
        store.responseMs(),
        Promise.all(volumes.all.map(spaceOf)),
        readDiskSpace(folder),
      ])
      const { users, active, files, licences } = await counts()
      const { cpuPercent, memoryUsed, memoryTotal, waitingMs } = machine.read()
      const volumeDisks = eachDiskOnce(disks.filter((space) => space !== null))
      return {
        cpu_usage: cpuPercent,
        memory_usage: (memoryUsed / memoryTotal) * 100,
        memory_used: memoryUsed,
        memory_total: memoryTotal,
        disk_usage: Math.max(...[dataDisk, ...volumeDisks].map(usagePercent)),
        backend_status: waitingMs > degradedMs ? ('degraded' as const) : ('running' as const),
        database_status: responseMs > slowDatabaseMs ? ('slow' as const) : ('connected' as const),
        total_users: users,
        active_users: active,
        total_files: files.files,
        total_files_size: files.bytes,
        files_uploading: await store.countUploads(now()),
        files_downloading: volumes.all.reduce((total, volume) => total + volume.readers(), 0),
        volume_count: volumes.all.length,
        used_volume_space: sum(volumeDisks, 'usedBytes'),
        total_volume_space: sum(volumeDisks, 'totalBytes'),
        users_by_license: licences,
        clock_jump: clock.jump(),
        measured_at: now(),
        version,
      }
    },

    async volumes() {
      const use = await volumeUse()
      return Promise.all(
        volumes.all.map(async (volume) => {
          const space = (await spaceOf(volume)) ?? noSpace
          return {
            id: volume.id,
            name: basename(volume.location),
            is_active: await isWritable(volume),
            usage_percent: space === noSpace ? 0 : usagePercent(space),
            used_space: space.usedBytes,
            total_space: space.totalBytes,
            free_space: space.freeBytes,
            user_count: use.get(volume.id)?.userCount ?? 0,
            file_count: use.get(volume.id)?.fileCount ?? 0,
            orphaned_files: volumes.orphansOn(volume.id),
            mount_path: volume.location,
          }
        }),
      )
    },
  }
}

export type Overview = ReturnType<typeof createOverview>

/** Null while the disk is not there. */
const spaceOf = (volume: BlobStore): Promise<DiskSpace | null> => volume.space().catch(() => null)
const noSpace: DiskSpace = { disk: 0, totalBytes: 0, usedBytes: 0, freeBytes: 0 }

const isWritable = (volume: BlobStore): Promise<boolean> =>
  volume.probe().then(
    () => true,
    () => false,
  )

/** Several volumes may be folders of one disk. */
const eachDiskOnce = (spaces: readonly DiskSpace[]): DiskSpace[] => [
  ...new Map(spaces.map((space) => [space.disk, space])).values(),
]

const sum = (spaces: readonly DiskSpace[], field: 'usedBytes' | 'totalBytes'): number =>
  spaces.reduce((total, space) => total + space[field], 0)

/** Loads a value at most once in `cacheMs`; one that could not be loaded is loaded again. */
function cached<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined
  let until = 0
  return () => {
    const time = performance.now()
    if (value === undefined || until <= time) {
      until = time + cacheMs
      value = load()
      value.catch(() => {
        value = undefined
      })
    }
    return value
  }
}
