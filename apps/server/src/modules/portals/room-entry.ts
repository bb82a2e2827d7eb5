import { randomBytes } from 'node:crypto'
import { portalLimits } from '@sallyport/contract/limits'
import type { ClientSignal, ServerSignal } from '@sallyport/contract/portals'
import { pinLimits, rateLimits } from '@sallyport/contract/server-limits'
import type { ServerContext } from '../../context.ts'
import { isLocked, type PinGuard } from '../../platform/rate-limit/pin-guard.ts'
import { hashToken } from '../../token-hash.ts'
import { countLookup, roomSources } from './caller-limits.ts'
import { findCode, lookUpCodePrefix } from './codes.rules.ts'
import type { Memberships, RoomMembership, SignallingConnection } from './memberships.ts'
import * as rules from './room.rules.ts'
import { type PeerSlot, type RoomChange, toRoomChange, withPeerSlot } from './room-record.rules.ts'
import type { RoomStore } from './room-store.ts'

export interface RoomEntryDeps extends Pick<ServerContext, 'rateLimiter' | 'now'> {
  readonly rooms: RoomStore
  readonly memberships: Memberships
  /** The one limiter of all calls that accept a PIN. */
  readonly pins: Pick<PinGuard, 'checkCode' | 'countWrongCode'>
  /** Hashes an address, for what other nodes see. */
  readonly hash: (address: string) => string
  /** Whether legacy rooms can be created. */
  readonly allowLegacy: boolean
  /** Called for each room that was created. */
  readonly onCreated: () => void
}

type SignalOf<Type extends ClientSignal['type']> = Extract<ClientSignal, { type: Type }>

const creationFailed = { type: 'room-error', error: 'Room creation failed' } as const satisfies ServerSignal

/** Creates, joins, finds and rejoins rooms for signalling connections. */
export function createRoomEntry(deps: RoomEntryDeps) {
  const { rooms, memberships, rateLimiter, pins, now, hash, allowLegacy, onCreated } = deps
  const peerSlotOf = ({ id }: SignallingConnection): PeerSlot => ({ node: rooms.node, line: id })

  /** Registers the connection before joining so that no message is missed; unregisters it on failure. */
  async function withMembership(
    client: SignallingConnection,
    membership: RoomMembership,
    enter: () => Promise<boolean>,
  ): Promise<boolean> {
    memberships.add(client, membership)
    const isIn = await enter().catch((error: unknown) => {
      memberships.remove(client)
      throw error
    })
    if (!isIn) memberships.remove(client)
    return isIn
  }

  async function create(client: SignallingConnection, { deviceName, px }: SignalOf<'create-room'>): Promise<void> {
    const { allowed } = await rateLimiter.allow(`portal-room:${client.address}`, rateLimits.portalRoomsPerAddress)
    const version = px ? 2 : 1
    if (!allowed || memberships.get(client) || (version === 1 && !allowLegacy)) return client.send(creationFailed)
    const resume = px ? createSecret() : null
    const sources = roomSources(client.address, hash)
    const counted = { address: hash(client.address), sources: sources.map(({ key }) => key) }
    const make = (code: string): RoomChange => {
      const id = createDeviceId(code)
      memberships.add(client, { code, side: 'creator' })
      const creator = { id, name: deviceName, resume: resume && hashToken(resume), awaySince: null }
      const isLinkOnly = px?.linkOnly === true
      const initial = { openedAt: now(), isLinkOnly, arrivals: rules.noArrivals }
      const room = { code, version, n: px?.n ?? null, ...initial, creator, joiner: null } as const
      const opened = { type: 'room-created', roomCode: code, peerId: id } as const
      const message = resume === null ? opened : { ...opened, px: { v: 2 as const, digits: code.length, resume } }
      const record = { room, ...counted, seats: { creator: peerSlotOf(client), joiner: null } }
      return toRoomChange(record, { room, messages: [['creator', message]] })
    }
    const isOpen = await withMembership(client, { code: '', side: 'creator' }, () =>
      rooms.create({ version, sources }, make),
    )
    if (isOpen) onCreated()
    else client.send(creationFailed)
  }

  async function join(
    client: SignallingConnection,
    { roomCode, deviceName, px }: SignalOf<'join-room'>,
  ): Promise<void> {
    if (memberships.get(client)) return client.send(rules.cannotJoin)
    const pakeStart = px && { mode: px.mode, y: px.y, ad: px.ad }
    const result = await pins.checkCode(client.address, async () => {
      const code = px ? roomCode : await codeOf(roomCode)
      if (code === null) return null
      let isMissing = false
      const enter = async (): Promise<boolean> => {
        const resume = createSecret()
        const tail = roomCode.slice(code.length)
        const joiningDevice = {
          id: createDeviceId(code),
          deviceName,
          resume,
          resumeHash: hashToken(resume),
          tail,
          px: pakeStart,
        }
        const outcome = await rooms.update(code, (record) => {
          const step = allowLegacy || px ? rules.join(record.room, joiningDevice, now()) : null
          return step && toRoomChange(withPeerSlot(record, 'joiner', peerSlotOf(client)), step)
        })
        isMissing = outcome === 'missing'
        return typeof outcome === 'object'
      }
      const isIn = (await allowPakeAttempt(client)) && (await withMembership(client, { code, side: 'joiner' }, enter))
      return isMissing ? null : isIn
    })
    if (result !== true) client.send(rules.cannotJoin)
  }

  /**
   * Only the other device can tell whether a code is wrong, which is too late when many rooms are tried concurrently.
   */
  async function allowPakeAttempt({ address }: SignallingConnection): Promise<boolean> {
    return (await rateLimiter.allow(`portal-proof:${address}`, pinLimits.proofsPerAddress)).allowed
  }

  /** Returns the code of the room that all six digits lead to. */
  async function codeOf(digits: string): Promise<string | null> {
    if (digits.length !== portalLimits.codeDigits) return null
    return findCode(await rooms.listCodes(digits.slice(0, 2)), digits)
  }

  async function findByPrefix(client: SignallingConnection, prefix: string): Promise<void> {
    const none = { type: 'px-located', result: 'none' } as const
    const waitSeconds = await countLookup(rateLimiter, client.address)
    if (waitSeconds > 0) return client.send({ ...none, retryAfterSeconds: waitSeconds })
    const found = await pins.checkCode(client.address, async () =>
      lookUpCodePrefix(await rooms.listCodes(prefix.slice(0, 2)), prefix),
    )
    if (isLocked(found)) return client.send({ ...none, retryAfterSeconds: found.lockedSeconds })
    const room = found === 'v2' ? (await rooms.get(prefix))?.room : undefined
    if (found === null || room?.joiner) return client.send(none)
    client.send({ type: 'px-located', result: found, ...(room?.n && { n: room.n }) })
  }

  async function rejoin(client: SignallingConnection, { peerId, resume }: SignalOf<'px-rejoin'>): Promise<void> {
    const code = codeOfDevice(peerId)
    const enter = async (): Promise<boolean> => {
      const outcome = await rooms.update(code, (record) => {
        const step = rules.rejoin(record.room, peerId, hashToken(resume))
        if (!step) return null
        const before = record.seats[step.side]
        memberships.add(client, { code, side: step.side })
        const { deliveries, ...rest } = toRoomChange(withPeerSlot(record, step.side, peerSlotOf(client)), step)
        return {
          ...rest,
          deliveries: before
            ? [{ to: before, messages: [], isOver: true, isMissed: false }, ...deliveries]
            : deliveries,
        }
      })
      return typeof outcome === 'object'
    }
    const isIn = !memberships.get(client) && (await withMembership(client, { code, side: 'creator' }, enter))
    if (!isIn) client.send(rules.cannotJoin)
  }

  return {
    create,
    join,
    findByPrefix,
    rejoin,
    /** Counts one lookup by an address and returns how many seconds it has to wait. */
    countLookup: (address: string): Promise<number> => countLookup(rateLimiter, address),
    /** Whether a device can join with these six digits. */
    async isOpen(digits: string): Promise<boolean> {
      const code = allowLegacy ? await codeOf(digits) : null
      const record = code === null ? null : await rooms.get(code)
      return record !== null && record.room.joiner === null
    },
  }
}

const createSecret = (): string => randomBytes(16).toString('base64url')

/** A device id begins with the code of its room, so that both are found without a search. */
const createDeviceId = (code: string): string => `${code}.${createSecret()}`

const codeOfDevice = (deviceId: string): string => /^(\d{2,6})\./.exec(deviceId)?.[1] ?? ''
