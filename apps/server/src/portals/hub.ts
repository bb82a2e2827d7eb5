import { randomBytes, randomInt } from 'node:crypto'
import { portalLimits, rateLimits } from '@sallyport/contract/limits'
import { type IceServer, PassedOn, type SignalSent, type SignalTold } from '@sallyport/contract/portals'
import * as z from 'zod/mini'
import type { Attempts } from '../limits/attempts.ts'
import type { OpenSignIn } from '../live/ended-watch.ts'
import { codeReachedBy, drawCode, locate } from './codes.rules.ts'
import * as rules from './room.rules.ts'

/** One open signalling socket. */
export interface Line {
  /** The block of addresses it came from, for limits only. */
  readonly address: string
  readonly tell: (message: SignalTold) => void
}

/** Who opens a signalling socket: somebody signed in, or a visitor. */
export interface PortalHolder {
  readonly purpose: 'portal'
  readonly signIn: OpenSignIn | null
}

/** Counts codes that lead nowhere, over every call that takes one. */
export interface PinGuard {
  /** False while this address has to wait. */
  mayTry(address: string): Promise<boolean>
  missed(address: string): Promise<void>
}

interface Parts {
  readonly attempts: Attempts
  readonly pins: PinGuard
  readonly now: () => number
  /** Whether rooms for devices that know only the basic protocol are made. */
  readonly classic: boolean
  /** Credentials for a server that carries bytes between two devices; empty without one. */
  readonly turnFor: (peerId: string) => IceServer[]
  /** A place at the relay for each of the two devices of a room, or null where there is none. */
  readonly relayFor: (address: string) => { readonly creator: string; readonly joiner: string } | null
}

interface Place {
  readonly code: string
  readonly side: rules.Side
}

interface Open {
  room: rules.Room
  readonly address: string
  readonly lines: Map<rules.Side, Line>
}

const noRoom = { type: 'room-error', error: 'Room creation failed' } as const satisfies SignalTold
const refusedSignal = { type: 'room-error', error: 'Unknown error' } as const satisfies SignalTold
const isPassedOn = (message: SignalSent): message is PassedOn => z.safeParse(PassedOn, message).success

/** The rooms where devices meet, and who sits in them. It knows codes, names of devices and addresses of sockets, and no file. */
export function createPortalHub(parts: Parts) {
  const { attempts, pins, now, classic } = parts
  const rooms = new Map<string, Open>()
  const places = new Map<Line, Place>()
  const taken = (): ReadonlySet<string> => new Set(rooms.keys())

  function take(open: Open, step: rules.Step): void {
    for (const [side, message] of step.tell) open.lines.get(side)?.tell(message)
    const joiner = open.lines.get('joiner')
    if (step.missed !== undefined && joiner) pins.missed(joiner.address).catch(() => undefined)
    if (step.room === null) {
      rooms.delete(open.room.code)
      for (const line of open.lines.values()) places.delete(line)
      return
    }
    if (step.room.joiner === null && joiner) {
      open.lines.delete('joiner')
      places.delete(joiner)
    }
    open.room = step.room
  }

  async function create(line: Line, { deviceName, px }: Extract<SignalSent, { type: 'create-room' }>): Promise<void> {
    const { allowed } = await attempts.allow(`portal-room:${line.address}`, rateLimits.portalRoomsPerAddress)
    const open = [...rooms.values()].filter(({ address }) => address === line.address).length
    const version = px ? 2 : 1
    const isRefused = places.has(line) || (version === 1 && !classic) || open >= portalLimits.openRoomsPerAddress
    const code = allowed && !isRefused ? drawCode(taken(), version, (below) => randomInt(below)) : null
    if (code === null) return line.tell(noRoom)
    const id = anId()
    const resume = px ? anId() : null
    const creator = { id, name: deviceName, resume, awaySince: null }
    const room = { code, version, n: px?.n ?? null, openedAt: now(), creator, joiner: null } as const
    rooms.set(code, { room, address: line.address, lines: new Map([['creator', line]]) })
    places.set(line, { code, side: 'creator' })
    const opened = { type: 'room-created', roomCode: code, peerId: id } as const
    line.tell(resume === null ? opened : { ...opened, px: { v: 2, digits: code.length, resume } })
  }

  async function join(line: Line, message: Extract<SignalSent, { type: 'join-room' }>): Promise<void> {
    const { roomCode, deviceName, px } = message
    if (places.has(line) || !(await pins.mayTry(line.address))) return line.tell(rules.cannotJoin)
    const code = px ? roomCode : roomCode.length === portalLimits.codeDigits ? codeReachedBy(taken(), roomCode) : null
    const open = code === null ? undefined : rooms.get(code)
    const isAllowed = classic || px !== undefined
    const id = anId()
    const newcomer = { id, deviceName, resume: anId(), tail: roomCode.slice(code?.length ?? 0), px: px && asked(px) }
    const step = open && isAllowed && !places.has(line) ? rules.join(open.room, newcomer) : null
    if (!open || !step) {
      if (!open) await pins.missed(line.address)
      return line.tell(rules.cannotJoin)
    }
    open.lines.set('joiner', line)
    places.set(line, { code: open.room.code, side: 'joiner' })
    take(open, step)
  }

  async function find(line: Line, prefix: string): Promise<void> {
    const result = (await pins.mayTry(line.address)) ? locate(taken(), prefix) : 'none'
    const open = result === 'v2' ? rooms.get(prefix) : undefined
    if (result === 'none') await pins.missed(line.address)
    if (open?.room.joiner) return line.tell({ type: 'px-located', result: 'none' })
    const n = open?.room.n
    line.tell({ type: 'px-located', result, ...(n && { n }) })
  }

  function comeBack(line: Line, peerId: string, resume: string): void {
    for (const open of rooms.values()) {
      const step = places.has(line) ? null : rules.rejoin(open.room, peerId, resume)
      if (!step) continue
      const before = open.lines.get(step.side)
      if (before) places.delete(before)
      open.lines.set(step.side, line)
      places.set(line, { code: open.room.code, side: step.side })
      take(open, step)
      return
    }
    line.tell(rules.cannotJoin)
  }

  function inRoom(line: Line, act: (open: Open, side: rules.Side) => void): void {
    const place = places.get(line)
    const open = place && rooms.get(place.code)
    if (open) act(open, place.side)
  }

  function offerRelay(open: Open): void {
    if (open.room.joiner?.stage !== 'paired' || open.room.version !== 2) return
    const tokens = parts.relayFor(open.address)
    for (const side of ['creator', 'joiner'] as const) {
      open.lines.get(side)?.tell(tokens ? { type: 'px-relay-ready', token: tokens[side] } : refusedSignal)
    }
  }

  return {
    async hear(line: Line, message: SignalSent): Promise<void> {
      if (isPassedOn(message)) {
        return inRoom(line, (open, side) => take(open, rules.passOn(open.room, side, message)))
      }
      switch (message.type) {
        case 'create-room':
          return create(line, message)
        case 'join-room':
          return join(line, message)
        case 'px-locate':
          return find(line, message.prefix)
        case 'px-rejoin':
          return comeBack(line, message.peerId, message.resume)
        case 'px-admit':
          return inRoom(line, (open, side) => {
            if (side === 'creator') take(open, rules.admit(open.room, message.peerId, message.ok))
          })
        case 'px-fail':
          return inRoom(line, (open, side) => take(open, rules.fail(open.room, side, message.stage)))
        case 'px-leave':
          return this.gone(line, false)
        case 'px-ice':
          return inRoom(line, (open, side) => {
            if (open.room.joiner?.stage !== 'paired') return
            line.tell({ type: 'px-ice', iceServers: parts.turnFor(`${open.room.code}-${side}`) })
          })
        case 'px-relay':
          return inRoom(line, offerRelay)
      }
    },
    /** The socket was closed, or its device has said that it goes. */
    gone(line: Line, isLineLost: boolean): void {
      inRoom(line, (open, side) => {
        take(open, rules.leave(open.room, side, now(), isLineLost))
        open.lines.delete(side)
      })
      places.delete(line)
    },
    /** Whether somebody can come in under these six digits. */
    isOpen(digits: string): boolean {
      const code = codeReachedBy(taken(), digits)
      return code !== null && classic && rooms.get(code)?.room.joiner === null
    },
    job: {
      name: 'portals nobody is in',
      everyMs: portalLimits.sweepEveryMs,
      async run(): Promise<void> {
        for (const open of rooms.values()) take(open, rules.expire(open.room, now()))
      },
    },
  }
}

export type PortalHub = ReturnType<typeof createPortalHub>

const anId = (): string => randomBytes(16).toString('base64url')

const asked = ({ mode, y, ad }: NonNullable<rules.Newcomer['px']>) => ({ mode, y, ad })
