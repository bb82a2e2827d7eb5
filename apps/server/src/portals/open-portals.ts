import { createHmac } from 'node:crypto'
import { portalLimits } from '@sallyport/contract/limits'
import type { IceServer } from '@sallyport/contract/portals'
import type { Config } from '../config.ts'
import type { Attempts } from '../limits/attempts.ts'
import type { OpenTickets } from '../live/tickets.ts'
import type { SharedRedis } from '../redis/redis.ts'
import { enclosingBlocks } from '../resources/address-blocks.ts'
import type { PinGuard } from './entering.ts'
import { createPortalHub, type PortalHolder } from './hub.ts'
import { createLocalRelay } from './local-relay.ts'
import { createLocalRooms } from './local-rooms.ts'
import { createRedisRelay } from './redis-relay.ts'
import { createRedisRooms } from './redis-rooms.ts'
import { turnCredentials } from './turn.ts'

interface Parts {
  readonly config: Config
  readonly attempts: Attempts
  /** The one limiter of all calls that take a PIN. */
  readonly pins: PinGuard
  readonly openTickets: OpenTickets
  readonly now: () => number
  /** Counts what the relay carries. */
  readonly onRelayed: (bytes: number) => void
  /** What addresses are hashed under before other nodes see them. */
  readonly secret: Buffer
  /** Null where there is one node. */
  readonly redis: SharedRedis | null
  /** Whether an account has nothing but what every registration gets. */
  readonly isOnTrial: (userId: string) => Promise<boolean>
}

const gigabyte = 1024 ** 3

/** The parts of portals, as the configuration wants them. */
export async function openPortals({
  config,
  attempts,
  pins,
  openTickets,
  now,
  onRelayed,
  secret: hashing,
  redis,
  isOnTrial,
}: Parts) {
  const classic = config.PORTAL_CLASSIC === 'on'
  const bytesPerRoom = config.RELAY_GB_PER_ROOM * gigabyte
  const bytesPerDay = config.RELAY_GB_PER_DAY * gigabyte
  const hash = (address: string): string =>
    createHmac('sha256', hashing).update(`portal\0${address}`).digest('base64url')
  const shared = redis && (await createRedisRooms({ redis, now }))
  const { bytesPerSecond } = portalLimits.relay
  const carrying = { now, bytesPerRoom, bytesPerDay, bytesPerSecond, onCarried: onRelayed }
  const openRelay = () =>
    redis && shared ? createRedisRelay({ ...carrying, ...shared, redis }) : createLocalRelay(carrying)
  const relay = config.RELAY === 'on' ? openRelay() : null
  const stun: IceServer[] = config.STUN_URLS.length > 0 ? [{ urls: config.STUN_URLS }] : []
  const { TURN_URLS: urls, TURN_SECRET: secret } = config

  const hub = createPortalHub({
    rooms: shared?.rooms ?? createLocalRooms(),
    attempts,
    pins,
    now,
    hash,
    classic,
    turnFor: (peerId) =>
      secret === undefined || urls.length === 0 ? stun : [...stun, turnCredentials({ urls, secret, now }, peerId)],
    relayFor: async (address, asker) => {
      if (!relay) return null
      const { userId } = asker
      const payer = {
        account: userId === null ? null : hash(`account:${userId}`),
        network: hash(enclosingBlocks(asker.address).at(-1) ?? ''),
        // Where a licence cannot be read, the account gets no more than a trial.
        isTrial: userId !== null && (await isOnTrial(userId).catch(() => true)),
      }
      return relay.reserve(address, payer)
    },
  })
  return {
    hub,
    relay,
    pins,
    classic,
    iceServers: stun,
    tickets: openTickets<PortalHolder>('portal'),
    jobs: relay ? [hub.job, relay.job] : [hub.job],
  }
}
