import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { ByteCount, EpochMs, Id, Succeeded } from './fields.ts'
import { LicenceType } from './licence-types.ts'
import { second } from './units.ts'

/** How often the overview asks again. */
export const overviewRefreshMs = 30 * second
/** Above this much of a whole, in percent, space and load count as high. */
export const highUsagePercent = 80

/** 0 to 100, not rounded. */
const Percent = z.number().check(z.gte(0), z.lte(100))

const Stats = z.object({
  success: Succeeded,
  /** Of all cores since the last reading. */
  cpu_usage: Percent,
  memory_usage: Percent,
  memory_used: ByteCount,
  memory_total: ByteCount,
  /** Of the fullest disk that holds data or files. */
  disk_usage: Percent,
  /** `degraded` if requests wait noticeably for one another. */
  backend_status: z.enum(['running', 'degraded']),
  database_status: z.enum(['connected', 'slow']),
  /** How this request came: without a proxy, through one that is trusted, or through one that is not. */
  nginx_status: z.enum(['direct', 'passing', 'untrusted']),
  total_users: z.int(),
  /** Signed in or active within a day. */
  active_users: z.int(),
  /** Files of accounts and of sessions. */
  total_files: z.int(),
  /** Without what encryption adds. */
  total_files_size: ByteCount,
  files_uploading: z.int(),
  files_downloading: z.int(),
  volume_count: z.int(),
  /** Of the disks that volumes are on, each counted once. */
  used_volume_space: ByteCount,
  total_volume_space: ByteCount,
  users_by_license: z.record(LicenceType, z.int()),
  /** The server's time and the one that is expected, while nothing is deleted because they differ; null otherwise. */
  clock_jump: z.nullable(z.object({ expected: EpochMs, actual: EpochMs })),
  measured_at: EpochMs,
  version: z.string(),
})

const Volume = z.object({
  id: Id,
  name: z.string(),
  /** Whether new files can be written to it. */
  is_active: z.boolean(),
  usage_percent: Percent,
  used_space: ByteCount,
  total_space: ByteCount,
  free_space: ByteCount,
  user_count: z.int(),
  file_count: z.int(),
  /** Files without a row that the last pass has found; null before the first one. */
  orphaned_files: z.nullable(z.int()),
  mount_path: z.string(),
})

/** How the server runs and what it stores: figures that admins see. */
export const adminOverview = {
  stats: endpoint({
    method: 'GET',
    path: '/api/admin/stats',
    summary: 'Get figures of this server, each of them measured',
    access: 'admin',
    reply: Stats,
    errors: ['RATE_LIMITED'],
  }),
  volumes: endpoint({
    method: 'GET',
    path: '/api/admin/volumes',
    summary: 'List the volumes that files are stored on',
    access: 'admin',
    reply: z.object({ success: Succeeded, volumes: z.array(Volume) }),
    errors: ['RATE_LIMITED'],
  }),
}
