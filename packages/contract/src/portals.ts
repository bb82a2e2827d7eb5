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
    summary: 'Create a ticket that opens one signalling socket within 30 seconds, with or without an account',
    access: 'anyone',
    reply: z.object({ success: Succeeded, ticket: z.string() }),
    errors: ['RATE_LIMITED'],
  }),
  join: endpoint({
    method: 'POST',
    path: '/api/portals/join',
    summary: 'Check whether a room is waiting under a code, and get a ticket for one signalling socket',
    access: 'anyone',
    body: z.object({ session_pin: z.string() }),
    reply: z.object({
      success: Succeeded,
      /** Both values are tickets for one signalling socket; a client may use either as `session`. */
      session: z.object({ id: z.string(), temp_token: z.string() }),
    }),
    errors: ['ROOM_NOT_FOUND', 'PIN_INVALID', 'RATE_LIMITED'],
  }),
  settings: endpoint({
    method: 'GET',
    path: '/api/portals/settings',
    summary: 'Get the ICE servers for portals, and whether this server relays bytes',
    access: 'anyone',
    reply: z.object({
      success: Succeeded,
      iceServers: z.array(IceServer),
      relay: z.boolean(),
      classic: z.boolean(),
    }),
  }),
}

/** The path of the signalling socket, with `?session=` and a ticket. */
export const signallingPath = '/api/webrtc-signal'

/** The path of the relay for sealed bytes without a direct connection, with `?token=`. */
export const relayPath = '/api/portal-relay'

const DeviceName = z.string().check(z.maxLength(portalLimits.deviceNameCharacters))
const Opaque = z.string().check(z.maxLength(4096))
/** The public part of a code, assigned by the server: two digits, or four while many codes are in use. */
export const CodePrefix = z.string().check(z.regex(/^[1-9](?:\d|\d{3})$/))
/** How a room is found: by a prefix, or by all six digits of a legacy code. */
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

/** Relayed to the peer unchanged. */
const relayedSignals = [
  z.object({ type: z.literal('webrtc-offer'), data: z.unknown() }),
  z.object({ type: z.literal('webrtc-answer'), data: z.unknown() }),
  z.object({ type: z.literal('webrtc-ice-candidate'), data: z.unknown() }),
  FileOffer,
  z.object({ type: z.literal('file-accept') }),
  z.object({ type: z.literal('file-reject') }),
  z.object({ type: z.literal('px-pake'), y: Opaque, ad: Opaque, tag: Opaque }),
  z.object({ type: z.literal('px-confirm'), tag: Opaque }),
  /** Re-pairing: two devices that were paired and lost their connection agree on new keys; one message of each step. */
  z.object({
    type: z.literal('px-again'),
    n: Opaque,
    y: z.optional(Opaque),
    ad: z.optional(Opaque),
    tag: z.optional(Opaque),
  }),
  /** The joiner's connection was lost: the creator has to send a new offer. */
  z.object({ type: z.literal('px-lost'), data: z.unknown() }),
] as const

export const RelayedSignal = z.discriminatedUnion('type', [...relayedSignals])
export type RelayedSignal = z.output<typeof RelayedSignal>

const pakeFields = { mode: PortalMode, y: Opaque, ad: Opaque }

/** Messages of a device to the server. Legacy devices send no `px` fields. */
export const ClientSignal = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('create-room'),
    deviceName: DeviceName,
    /** `linkOnly`: a failed PAKE does not close the room, because a link secret cannot be guessed. */
    px: z.optional(z.object({ v: z.literal(2), n: Opaque, linkOnly: z.optional(z.boolean()) })),
  }),
  z.object({
    type: z.literal('join-room'),
    roomCode: RoomCode,
    deviceName: DeviceName,
    px: z.optional(z.object({ v: z.literal(2), ...pakeFields })),
  }),
  z.object({ type: z.literal('px-locate'), prefix: CodePrefix }),
  z.object({ type: z.literal('px-admit'), peerId: Opaque, ok: z.boolean() }),
  z.object({ type: z.literal('px-fail'), stage: z.string().check(z.maxLength(40)) }),
  z.object({ type: z.literal('px-rejoin'), peerId: Opaque, resume: Opaque }),
  z.object({ type: z.literal('px-leave') }),
  z.object({ type: z.literal('px-ice') }),
  z.object({ type: z.literal('px-relay') }),
  ...relayedSignals,
])
export type ClientSignal = z.output<typeof ClientSignal>

/** Messages of the server to a device. */
export const ServerSignal = z.discriminatedUnion('type', [
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
    /**
     * What the joining device sent: the first PAKE message, or for a legacy peer the last digits of its code, which
     * have to be compared.
     */
    px: z.optional(z.union([z.object({ classic: z.literal(true), tail: z.string() }), z.object(pakeFields)])),
  }),
  z.object({ type: z.literal('peer-left'), px: z.optional(z.object({ away: z.literal(true) })) }),
  z.object({
    type: z.literal('px-located'),
    result: z.enum(['v2', 'classic', 'none']),
    n: z.optional(z.string()),
    /** Set if the code was not looked up because of too many lookups from this address. */
    retryAfterSeconds: z.optional(z.int().check(z.minimum(1), z.maximum(86_400))),
  }),
  z.object({ type: z.literal('px-fail'), stage: z.string() }),
  z.object({ type: z.literal('px-rejoined'), peerId: z.string(), isOtherHere: z.boolean() }),
  z.object({ type: z.literal('px-back') }),
  z.object({ type: z.literal('px-ice'), iceServers: z.array(IceServer) }),
  z.object({ type: z.literal('px-relay-ready'), token: z.string() }),
  ...relayedSignals,
])
export type ServerSignal = z.output<typeof ServerSignal>
