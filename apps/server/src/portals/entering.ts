import { randomBytes } from 'node:crypto'
import { portalLimits } from '@sallyport/contract/limits'
import type { SignalSent, SignalTold } from '@sallyport/contract/portals'
import { pinLimits, rateLimits } from '@sallyport/contract/server-limits'
import type { Attempts } from '../limits/attempts.ts'
import { isLocked, type Locked } from '../limits/pin-guard.ts'
import { hashOfToken } from '../token-hash.ts'
import { countLookup, roomSources } from './callers.ts'
import { codeReachedBy, locate } from './codes.rules.ts'
import { type Outcome, type Seat, seated, settle } from './kept.rules.ts'
import type { Line, Place, Places } from './places.ts'
import * as rules from './room.rules.ts'
import type { Rooms } from './rooms.ts'

/** Counts codes that lead nowhere, over every call that takes one. */
export interface PinGuard {
  /**
   * Answers what a code leads to. Those of one address pass one after the other; null, where one leads nowhere, is
   * counted, and nothing is looked at while the address has to wait.
   */
  look<Found>(address: string, find: () => Promise<Found | null>): Promise<Found | Locked | null>
  /** Counts a code of which the other device has found out that it was wrong. */
  missed(address: string): Promise<void>
}

export interface EnteringParts {
  readonly rooms: Rooms
  readonly places: Places
  readonly attempts: Attempts
  readonly pins: PinGuard
  readonly now: () => number
  /** What stands for an address where all nodes see it. */
  readonly hash: (address: string) => string
  /** Whether rooms for devices that know only the basic protocol are made. */
  readonly classic: boolean
}

type Said<Type extends SignalSent['type']> = Extract<SignalSent, { type: Type }>

const noRoom = { type: 'room-error', error: 'Room creation failed' } as const satisfies SignalTold

/** The ways by which a line comes to sit in a room. */
export function createEntering({ rooms, places, attempts, pins, now, hash, classic }: EnteringParts) {
  const seatOf = ({ id }: Line): Seat => ({ node: rooms.node, line: id })

  /** Has the line sit where it is about to, so that it hears what is said to it there, and takes it up if that fails. */
  async function sitting(line: Line, place: Place, enter: () => Promise<boolean>): Promise<boolean> {
    places.sit(line, place)
    const isIn = await enter().catch((error: unknown) => {
      places.leave(line)
      throw error
    })
    if (!isIn) places.leave(line)
    return isIn
  }

  async function create(line: Line, { deviceName, px }: Said<'create-room'>): Promise<void> {
    const { allowed } = await attempts.allow(`portal-room:${line.address}`, rateLimits.portalRoomsPerAddress)
    const version = px ? 2 : 1
    if (!allowed || places.of(line) || (version === 1 && !classic)) return line.tell(noRoom)
    const resume = px ? aSecret() : null
    const sources = roomSources(line.address, hash)
    const ofRoom = { address: hash(line.address), sources: sources.map(({ key }) => key) }
    const make = (code: string): Outcome => {
      const id = aDeviceId(code)
      places.sit(line, { code, side: 'creator' })
      const creator = { id, name: deviceName, resume: resume && hashOfToken(resume), awaySince: null }
      const isLinkOnly = px?.linkOnly === true
      const beginning = { openedAt: now(), isLinkOnly, arrivals: rules.noArrivals }
      const room = { code, version, n: px?.n ?? null, ...beginning, creator, joiner: null } as const
      const opened = { type: 'room-created', roomCode: code, peerId: id } as const
      const told = resume === null ? opened : { ...opened, px: { v: 2 as const, digits: code.length, resume } }
      const kept = { room, ...ofRoom, seats: { creator: seatOf(line), joiner: null } }
      return settle(kept, { room, tell: [['creator', told]] })
    }
    const isOpen = await sitting(line, { code: '', side: 'creator' }, () => rooms.open({ version, sources }, make))
    if (!isOpen) line.tell(noRoom)
  }

  async function join(line: Line, { roomCode, deviceName, px }: Said<'join-room'>): Promise<void> {
    if (places.of(line)) return line.tell(rules.cannotJoin)
    const asked = px && { mode: px.mode, y: px.y, ad: px.ad }
    const entered = await pins.look(line.address, async () => {
      const code = px ? roomCode : await codeOf(roomCode)
      if (code === null) return null
      let isMissing = false
      const enter = async (): Promise<boolean> => {
        const resume = aSecret()
        const tail = roomCode.slice(code.length)
        const newcomer = { id: aDeviceId(code), deviceName, resume, resumeHash: hashOfToken(resume), tail, px: asked }
        const outcome = await rooms.change(code, (kept) => {
          const step = classic || px ? rules.join(kept.room, newcomer, now()) : null
          return step && settle(seated(kept, 'joiner', seatOf(line)), step)
        })
        isMissing = outcome === 'missing'
        return typeof outcome === 'object'
      }
      const isIn = (await mayProve(line)) && (await sitting(line, { code, side: 'joiner' }, enter))
      return isMissing ? null : isIn
    })
    if (entered !== true) line.tell(rules.cannotJoin)
  }

  /** Whether a device is wrong is found out by the other one, and too late where many rooms are tried at once. */
  async function mayProve({ address }: Line): Promise<boolean> {
    return (await attempts.allow(`portal-proof:${address}`, pinLimits.proofsPerAddress)).allowed
  }

  /** The code of the room that all six digits lead to. */
  async function codeOf(digits: string): Promise<string | null> {
    if (digits.length !== portalLimits.codeDigits) return null
    return codeReachedBy(await rooms.codesBehind(digits.slice(0, 2)), digits)
  }

  async function find(line: Line, prefix: string): Promise<void> {
    const none = { type: 'px-located', result: 'none' } as const
    const waitSeconds = await countLookup(attempts, line.address)
    if (waitSeconds > 0) return line.tell({ ...none, retryAfterSeconds: waitSeconds })
    const found = await pins.look(line.address, async () => locate(await rooms.codesBehind(prefix.slice(0, 2)), prefix))
    if (isLocked(found)) return line.tell({ ...none, retryAfterSeconds: found.lockedSeconds })
    const room = found === 'v2' ? (await rooms.read(prefix))?.room : undefined
    if (found === null || room?.joiner) return line.tell(none)
    line.tell({ type: 'px-located', result: found, ...(room?.n && { n: room.n }) })
  }

  async function comeBack(line: Line, { peerId, resume }: Said<'px-rejoin'>): Promise<void> {
    const code = codeIn(peerId)
    const enter = async (): Promise<boolean> => {
      const outcome = await rooms.change(code, (kept) => {
        const step = rules.rejoin(kept.room, peerId, hashOfToken(resume))
        if (!step) return null
        const before = kept.seats[step.side]
        places.sit(line, { code, side: step.side })
        const { words, ...rest } = settle(seated(kept, step.side, seatOf(line)), step)
        return {
          ...rest,
          words: before ? [{ to: before, messages: [], isOver: true, isMissed: false }, ...words] : words,
        }
      })
      return typeof outcome === 'object'
    }
    const isIn = !places.of(line) && (await sitting(line, { code, side: 'creator' }, enter))
    if (!isIn) line.tell(rules.cannotJoin)
  }

  return {
    create,
    join,
    find,
    comeBack,
    /** Counts one question from an address of what a code leads to, and answers how many seconds it has to wait. */
    countLookup: (address: string): Promise<number> => countLookup(attempts, address),
    /** Whether somebody can come in under these six digits. */
    async isOpen(digits: string): Promise<boolean> {
      const code = classic ? await codeOf(digits) : null
      const kept = code === null ? null : await rooms.read(code)
      return kept !== null && kept.room.joiner === null
    },
  }
}

const aSecret = (): string => randomBytes(16).toString('base64url')

/** The id of a device begins with the code of its room, so that both are found again without a search. */
const aDeviceId = (code: string): string => `${code}.${aSecret()}`

const codeIn = (deviceId: string): string => /^(\d{2,6})\./.exec(deviceId)?.[1] ?? ''
