import { join, resolve } from 'node:path'
import type { Logger } from 'pino'
import { failPointOf } from '../blobs/fail-points.ts'
import { openVolumes } from '../blobs/volumes.ts'
import type { Config } from '../config.ts'
import { openDatabase } from '../db/open.ts'
import { createListSlots } from '../limits/list-slots.ts'
import { announceOver, announceToSessionOver } from '../live/announce.ts'
import { openRedis } from '../redis/redis.ts'
import { openSharedParts } from '../redis/shared-parts.ts'
import { createPasswordHashing } from '../resources/password-hashing.ts'
import { createResources, type ResourceLimits } from '../resources/resources.ts'
import { openSecrets } from '../secrets.ts'
import { createMetrics } from '../system/metrics.ts'
import { namingSetting } from '../system/naming-setting.ts'

export interface Wishes {
  readonly config: Config
  readonly logger: Logger
  readonly version: string
  /** Where the process ends itself, for the tests of what a crash leaves behind. */
  readonly failpoint?: string | undefined
  /** Other bounds of the process than usual, for tests. */
  readonly resourceLimits?: ResourceLimits | undefined
}

export type Foundations = Awaited<ReturnType<typeof openFoundations>>

/** Opens what every feature stands on: secrets, database, volumes, and what nodes share. Fails where one cannot be had. */
export async function openFoundations({ config, logger, failpoint, resourceLimits }: Wishes) {
  const folder = resolve(config.DATA_DIR)
  const onError = (error: Error) => logger.error({ err: error }, 'a part of the server failed')
  const secrets = await namingSetting('The data folder (DATA_DIR)', async () => openSecrets(join(folder, 'secrets')))
  const databaseUrl = config.DATABASE_URL
  const database = await namingSetting(
    databaseUrl === undefined ? 'The database in the data folder (DATA_DIR)' : 'PostgreSQL (DATABASE_URL)',
    () => openDatabase({ databaseUrl, folder, onError }),
  )
  const redis = config.REDIS_URL === undefined ? null : await openRedis({ url: config.REDIS_URL, log: logger })
  const reached = failPointOf(failpoint)
  const folders = volumeFolders(config, folder)
  const resources = createResources(resourceLimits, config.TRUSTED_PROXIES)
  const volumes = await namingSetting('A folder for sealed bytes (VOLUMES)', () =>
    openVolumes({ folders, reached, gathering: resources.gathering }),
  )
  const { now } = database
  const ending = new AbortController()
  const hashing = createPasswordHashing()
  const shared = await openSharedParts({ redis, secret: secrets.pin, now, signal: ending.signal })

  return {
    ...shared,
    config,
    log: logger,
    onError,
    strict: config.STRICT === 'on',
    folder,
    /** Its port may change until the server listens. */
    publicUrl: new URL(config.PUBLIC_URL ?? `http://localhost:${config.PORT}`),
    confirmAddresses: (config.VERIFY_ADDRESSES ?? (config.SMTP_URL === undefined ? 'off' : 'on')) === 'on',
    secrets,
    db: database.db,
    now,
    redis,
    volumes,
    reached,
    hashing,
    metrics: createMetrics({ hashing }),
    resources,
    listSlots: createListSlots(),
    announce: announceOver(shared.bus),
    announceToSession: announceToSessionOver(shared.bus),
    /** Once nothing is asked of them any more. */
    async close(): Promise<void> {
      ending.abort()
      await redis?.close()
      await database.close()
    },
  }
}

/** Where sealed bytes are kept: the folders that were named, else one in the data folder. */
function volumeFolders(config: Config, folder: string): string[] {
  return config.VOLUMES.length > 0 ? config.VOLUMES.map((path) => resolve(path)) : [join(folder, 'volumes', 'main')]
}
