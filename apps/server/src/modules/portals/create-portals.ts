import { createHmac } from 'node:crypto'
import { ignore } from '@sallyport/contract/ignore'
import { portalLimits, portalRoomLimits } from '@sallyport/contract/limits'
import type { IceServer } from '@sallyport/contract/portals'
import type { ServerContext } from '../../context.ts'
import { enclosingBlocks } from '../../platform/http/address-blocks.ts'
import { createPortalHub, type PortalHolder } from './hub.ts'
import { createLocalRelay } from './local-relay.ts'
import { createLocalRoomStore } from './local-room-store.ts'
import type { PortalRoomsStore } from './portal-rooms.store.ts'
import { createRedisRelay } from './redis-relay.ts'
import { createRedisRoomStore } from './redis-room-store.ts'
import type { RelayOptions } from './relay.ts'
import type { RoomEntryDeps } from './room-entry.ts'

interface PortalDeps
  extends Pick<ServerContext, 'config' | 'rateLimiter' | 'createTickets' | 'now' | 'redis'>,
    Pick<RoomEntryDeps, 'pins' | 'onCreated'>,
    Pick<RelayOptions, 'onRelayed'> {
  /** Keeps the rooms of a single node. */
  readonly savedRooms: PortalRoomsStore
  /** Keys the hashes of addresses that other nodes see. */
  readonly secret: Buffer
  /** Whether an account has only what every registration gets. */
  readonly isOnTrial: (userId: string) => Promise<boolean>
}

const gigabyte = 1024 ** 3

/** Creates the portal services for the configuration. */
export async function createPortals(deps: PortalDeps) {
  const { config, savedRooms, pins, createTickets, now, redis, isOnTrial } = deps
  const allowLegacy = config.PORTAL_CLASSIC === 'on'
  const bytesPerRoom = config.RELAY_GB_PER_ROOM * gigabyte
  const bytesPerDay = config.RELAY_GB_PER_DAY * gigabyte
  const hash = (address: string): string =>
    createHmac('sha256', deps.secret).update(`portal\0${address}`).digest('base64url')
  const shared = redis && (await createRedisRoomStore({ redis, now }))
  const { bytesPerSecond } = portalLimits.relay
  const relayOptions = { now, bytesPerRoom, bytesPerDay, bytesPerSecond, onRelayed: deps.onRelayed }
  const createRelay = () =>
    redis && shared ? createRedisRelay({ ...relayOptions, ...shared, redis }) : createLocalRelay(relayOptions)
  const relay = config.RELAY === 'on' ? createRelay() : null
  const stun: IceServer[] = config.STUN_URLS.length > 0 ? [{ urls: config.STUN_URLS }] : []
  const { TURN_URLS: urls, TURN_SECRET: secret } = config

  /** With credentials of the TURN REST API: the username holds the expiry time, and the password is its HMAC. */
  function turnServers(peerId: string): IceServer[] {
    if (secret === undefined || urls.length === 0) return []
    const username = `${Math.floor((now() + portalRoomLimits.turnCredentialMs) / 1000)}:${peerId}`
    const credential = createHmac('sha1', secret).update(username).digest('base64')
    return [{ urls: [...urls], username, credential }]
  }

  const hub = createPortalHub({
    ...deps,
    rooms: shared?.rooms ?? (await createLocalRoomStore({ saved: savedRooms, now })),
    hash,
    allowLegacy,
    iceServersFor: (peerId) => [...stun, ...turnServers(peerId)],
    reserveRelay: async (address, requester) => {
      if (!relay) return null
      const { userId } = requester
      const payer = {
        account: userId === null ? null : hash(`account:${userId}`),
        network: hash(enclosingBlocks(requester.address).at(-1) ?? ''),
        isTrial:
          userId !== null &&
          (await isOnTrial(userId).catch(
            (error) => ignore(error, 'without a readable licence the account gets no more than a trial') ?? true,
          )),
      }
      return relay.reserve(address, payer)
    },
  })
  return {
    hub,
    /** Null when this server has no relay. */
    relay,
    pins,
    allowLegacy,
    iceServers: stun,
    tickets: createTickets<PortalHolder>('portal'),
    jobs: relay ? [hub.job, relay.job] : [hub.job],
  }
}

export type Portals = Awaited<ReturnType<typeof createPortals>>
