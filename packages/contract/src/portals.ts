import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Succeeded } from './fields.ts'
import { portalLimits } from './limits.ts'

const IceServer = z.object({
  urls: z.array(z.string()),
  username: z.optional(z.string()),
  credential: z.optional(z.string()),
})
export type IceServer = z.output<typeof IceServer>

export const portals = {
  ticket: endpoint({
    method: 'POST',
    path: '/api/portals/tickets',
    summary: 'A ticket that opens one signalling socket within 30 seconds; visitors without an account get one too',
    access: 'anyone',
    reply: z.object({ success: Succeeded, ticket: z.string() }),
    errors: ['RATE_LIMITED'],
  }),
  join: endpoint({
    method: 'POST',
    path: '/api/portals/join',
    summary: 'Ask whether a room waits under a code, and get what opens one signalling socket',
    access: 'anyone',
    body: z.object({ session_pin: z.string() }),
    reply: z.object({
      success: Succeeded,
      /** Both open one signalling socket, whichever a client takes for its `session`. */
      session: z.object({ id: z.string(), temp_token: z.string() }),
    }),
    errors: ['ROOM_NOT_FOUND', 'PIN_INVALID', 'RATE_LIMITED'],
  }),
  settings: endpoint({
    method: 'GET',
    path: '/api/portals/settings',
    summary: 'How two devices find each other here: servers to ask for addresses, and whether this one carries bytes',
    access: 'anyone',
    reply: z.object({
      success: Succeeded,
      iceServers: z.array(IceServer),
      relay: z.boolean(),
      classic: z.boolean(),
    }),
  }),
}

/** Where devices meet, with `?session=` and a ticket. */
export const signallingPath = '/api/webrtc-signal'

/** Where sealed bytes go through the server when there is no direct way, with `?token=`. */
export const relayPath = '/api/portal-relay'

const DeviceName = z.string().check(z.maxLength(portalLimits.deviceNameCharacters))
const Opaque = z.string().check(z.maxLength(4096))
/** The part of a code that the server gives out and knows: two digits, or four while many codes are in use. */
export const CodePrefix = z.string().check(z.regex(/^[1-9](?:\d|\d{3})$/))
/** What a room is found under: a prefix, or all six digits of a code of the basic protocol. */
const RoomCode = z.string().check(z.regex(/^[1-9](?:\d|\d{3}|\d{5})$/))
export const PortalMode = z.enum(['pin', 'link'])
export type PortalMode = z.output<typeof PortalMode>

const FileOffer = z.object({
  type: z.literal('file-offer'),
  fileName: z.string().check(z.maxLength(1024)),
  fileSize: z.number().check(z.gte(0), z.lte(Number.MAX_SAFE_INTEGER)),
  fileType: z.string().check(z.maxLength(255)),
  isEncrypted: z.boolean(),
})

/** Handed to the other device as they come. */
const passedOn = [
  z.object({ type: z.literal('webrtc-offer'), data: z.unknown() }),
  z.object({ type: z.literal('webrtc-answer'), data: z.unknown() }),
  z.object({ type: z.literal('webrtc-ice-candidate'), data: z.unknown() }),
  FileOffer,
  z.object({ type: z.literal('file-accept') }),
  z.object({ type: z.literal('file-reject') }),
  z.object({ type: z.literal('px-pake'), y: Opaque, ad: Opaque, tag: Opaque }),
  z.object({ type: z.literal('px-confirm'), tag: Opaque }),
  /** Two that have met before and lost sight of each other agree on new keys: what each says in turn. */
  z.object({
    type: z.literal('px-again'),
    n: Opaque,
    y: z.optional(Opaque),
    ad: z.optional(Opaque),
    tag: z.optional(Opaque),
  }),
  /** The joiner's line is gone: the creator is to offer another. */
  z.object({ type: z.literal('px-lost'), data: z.unknown() }),
] as const

export const PassedOn = z.discriminatedUnion('type', [...passedOn])
export type PassedOn = z.output<typeof PassedOn>

const proof = { mode: PortalMode, y: Opaque, ad: Opaque }

/** What a device says to the server. A device that knows only the basic protocol sends nothing under `px`. */
export const SignalSent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('create-room'),
    deviceName: DeviceName,
    /** `linkOnly`: a wrong proof does not end the room, because a link secret cannot be guessed. */
    px: z.optional(z.object({ v: z.literal(2), n: Opaque, linkOnly: z.optional(z.boolean()) })),
  }),
  z.object({
    type: z.literal('join-room'),
    roomCode: RoomCode,
    deviceName: DeviceName,
    px: z.optional(z.object({ v: z.literal(2), ...proof })),
  }),
  z.object({ type: z.literal('px-locate'), prefix: CodePrefix }),
  z.object({ type: z.literal('px-admit'), peerId: Opaque, ok: z.boolean() }),
  z.object({ type: z.literal('px-fail'), stage: z.string().check(z.maxLength(40)) }),
  z.object({ type: z.literal('px-rejoin'), peerId: Opaque, resume: Opaque }),
  z.object({ type: z.literal('px-leave') }),
  z.object({ type: z.literal('px-ice') }),
  z.object({ type: z.literal('px-relay') }),
  ...passedOn,
])
export type SignalSent = z.output<typeof SignalSent>

/** What the server says to a device. */
export const SignalTold = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('room-created'),
    roomCode: RoomCode,
    peerId: z.string(),
    px: z.optional(z.object({ v: z.literal(2), digits: z.int(), resume: z.string() })),
  }),
  z.object({
    type: z.literal('room-joined'),
    peerId: z.string(),
    px: z.optional(z.object({ resume: z.string() })),
  }),
  z.object({ type: z.literal('room-error'), error: z.string() }),
  z.object({
    type: z.literal('peer-joined'),
    deviceName: z.string(),
    peerId: z.string(),
    /** Of the other device's kind: it proves that it knows the code, or its last digits are to be looked at. */
    px: z.optional(z.union([z.object({ classic: z.literal(true), tail: z.string() }), z.object(proof)])),
  }),
  z.object({ type: z.literal('peer-left'), px: z.optional(z.object({ away: z.literal(true) })) }),
  z.object({
    type: z.literal('px-located'),
    result: z.enum(['v2', 'classic', 'none']),
    n: z.optional(z.string()),
    /** Where the code was not looked up, because too many were from this address. */
    retryAfterSeconds: z.optional(z.int().check(z.minimum(1), z.maximum(86_400))),
  }),
  z.object({ type: z.literal('px-fail'), stage: z.string() }),
  z.object({ type: z.literal('px-rejoined'), peerId: z.string(), isOtherHere: z.boolean() }),
  z.object({ type: z.literal('px-back') }),
  z.object({ type: z.literal('px-ice'), iceServers: z.array(IceServer) }),
  z.object({ type: z.literal('px-relay-ready'), token: z.string() }),
  ...passedOn,
])
export type SignalTold = z.output<typeof SignalTold>
