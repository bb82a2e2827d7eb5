import type { IceServer } from '@sallyport/contract/portals'
import type { Config } from '../config.ts'
import type { Attempts } from '../limits/attempts.ts'
import type { OpenTickets } from '../live/tickets.ts'
import type { PinGuard } from './entering.ts'
import { createPortalHub, type PortalHolder } from './hub.ts'
import { createLocalRooms } from './local-rooms.ts'
import { createRelay } from './relay.ts'
import { turnCredentials } from './turn.ts'

interface Parts {
  readonly config: Config
  readonly attempts: Attempts
  /** The one limiter of all calls that take a PIN. */
  readonly pins: PinGuard
  readonly openTickets: OpenTickets
  readonly now: () => number
}

const gigabyte = 1024 ** 3

/** The parts of portals, as the configuration wants them. */
export function openPortals({ config, attempts, pins, openTickets, now }: Parts) {
  const classic = config.PORTAL_CLASSIC === 'on'
  const bytesPerRoom = config.RELAY_GB_PER_ROOM * gigabyte
  const bytesPerDay = config.RELAY_GB_PER_DAY * gigabyte
  const relay = config.RELAY === 'on' ? createRelay({ now, bytesPerRoom, bytesPerDay }) : null
  const stun: IceServer[] = config.STUN_URLS.length > 0 ? [{ urls: config.STUN_URLS }] : []
  const { TURN_URLS: urls, TURN_SECRET: secret } = config

  const hub = createPortalHub({
    rooms: createLocalRooms(),
    attempts,
    pins,
    now,
    classic,
    turnFor: (peerId) =>
      secret === undefined || urls.length === 0 ? stun : [...stun, turnCredentials({ urls, secret, now }, peerId)],
    relayFor: async (address) => relay?.reserve(address) ?? null,
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
