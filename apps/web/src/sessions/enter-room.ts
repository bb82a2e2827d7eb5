import type { Call, Connection } from '@sallyport/client/call'
import { openLiveChannel } from '@sallyport/client/live'
import { createSubject } from '@sallyport/client/observable'
import type { Entered } from '@sallyport/client/sessions/enter-session'
import { followSessionKeys, type SessionKeys } from '@sallyport/client/sessions/follow-session-keys'
import { readInviteLink, writeInviteLink } from '@sallyport/client/sessions/invite-link'
import { readParticipantName } from '@sallyport/client/sessions/read-session'
import { openSessionPlace, type SessionPlace } from '@sallyport/client/sessions/session-keys'
import { sessionLimits } from '@sallyport/contract/limits'
import type { Session } from '@sallyport/contract/session-shapes'
import { sealSessionName } from '@sallyport/crypto'
import type { QueryClient } from '@tanstack/react-query'
import { SpokenError } from '#/api/failure.ts'
import { followLive } from '#/live/follow-live.ts'
import { sessionWords } from '#/words/sessions.ts'
import { hearOfSession } from './hear-of-session.ts'
import { createMe, type OpenedRoom, openRoomWith } from './open-room.ts'
import type { Ending, Room } from './room.ts'
import { createRoomCalls, type RoomCalls } from './room-calls.ts'
import { createRoomAdmissions } from './room-desk.ts'
import { createRoomRelay } from './room-relay.ts'
import { createRoomTransfers } from './room-transfers.ts'
import { filesKey } from './session.queries.ts'

interface Parts {
  readonly entered: Entered
  readonly call: Call
  readonly connection: Connection
  readonly queries: QueryClient
  readonly origin: string
  /** The session is over for this participant. */
  readonly onEnded: (ending: Exclude<Ending, 'left'>) => void
  /** A private session was opened by its link. */
  readonly onUnlocked: (linkSecret: Uint8Array<ArrayBuffer>) => void
}

export interface LivedRoom extends Room {
  readonly leave: () => Promise<void>
  /** Ends what goes on beside the screens, uploads and downloads among it; tells how many uploads that cut off. */
  readonly stop: () => number
}

/** Begins a stay in a session: follows what happens there, says that its participant is there, and keeps its lists. */
export async function enterRoom(parts: Parts): Promise<LivedRoom> {
  const { entered, call, queries, origin, onEnded } = parts
  const { pin, keyMode: mode, senderId } = entered
  const { id } = entered.session
  const session = createSubject<Session>(entered.session)
  const open = createSubject<OpenedRoom | null>(null)
  const me = createMe()
  let linkSecret = entered.linkSecret
  let stopWatching = () => {}
  const calls = createRoomCalls({ call, entered, onOver: () => onEnded('closed') })
  const relay = createRoomRelay(calls)
  const admissions = createRoomAdmissions({ relay, origin, sessionId: id })

  async function openWith(secret: Uint8Array<ArrayBuffer> | null): Promise<void> {
    const holder = { ...entered, session: session.current(), linkSecret: secret }
    const place = await openSessionPlace(holder)
    if (place === null) return
    linkSecret = secret
    const keys = followSessionKeys({ holder, place, askSession: calls.get })
    if (mode === 'secret' && secret) await admissions.open(secret)
    const opened = furnish({ ...parts, calls, keys, me: me.current })
    opened.peopleNames.open(session.current().participants)
    stopWatching = opened.watch(() => void queries.invalidateQueries({ queryKey: filesKey(id) }))
    open.set(opened)
    await introduce(place)
  }

  /** Whoever comes back under a name of their own is still called so. */
  async function introduce(place: SessionPlace): Promise<void> {
    const { participants, participant_id: mine } = session.current()
    const own = participants.find((one) => one.id === mine)
    const read = own && (await readParticipantName(own, place))
    // A name that another sender has sealed is not taken over, whatever the server says of it.
    if (read && (read.senderId ?? senderId) === senderId) me.set({ name: read.name, isMe: true })
  }

  const take = (next: Session) => {
    session.set(next)
    const opened = open.current()
    void opened?.keys.take(next)
    opened?.peopleNames.open(next.participants)
  }
  const refresh = () => void calls.get().then(take, () => undefined)
  const refreshLists = () => {
    if (mode === 'secret') relay.catchUp()
    void open.current()?.news.refresh()
    void queries.invalidateQueries({ queryKey: filesKey(id) })
  }

  const pollLists = () => {
    if (mode === 'secret') relay.catchUp()
    void open.current()?.news.poll()
    void queries.invalidateQueries({ queryKey: filesKey(id) }, { cancelRefetch: false })
  }

  const stopLive = followLive({
    channel: openLiveChannel({ askTicket: calls.ticket, origin }),
    onEvent: (event) =>
      hearOfSession(event, { id, queries, session, open, relay, take, refresh, refreshLists, onEnded }),
    polls: [
      { everyMs: sessionLimits.pollEveryMs, ask: pollLists },
      { everyMs: sessionLimits.pollEveryMs, ask: refresh },
    ],
  })
  const beat = () => void calls.heartbeat().catch(() => undefined)
  beat()
  const heart = setInterval(beat, sessionLimits.heartbeatEveryMs)

  await openWith(linkSecret)
  return {
    id,
    pin,
    keyMode: mode,
    session,
    open,
    me,
    inviteLink: () => writeInviteLink(origin, { pin, linkSecret: mode === 'secret' ? linkSecret : null }),
    async unlock(link) {
      const secret = secretOf(link, pin)
      await openWith(secret)
      parts.onUnlocked(secret)
    },
    changeSettings: async (settings) => take(await calls.changeSettings(settings)),
    rename: (name) => renameTo(name),
    remove: calls.remove,
    desk: admissions.desk,
    async askIn() {
      const asking = await admissions.ask()
      void asking.linkSecret.then(async (secret) => {
        await openWith(secret)
        parts.onUnlocked(secret)
      })
      return asking
    },
    answerKnock: async (knockId, admit) => {
      await calls.answerKnock(knockId, admit)
      refresh()
    },
    leave: calls.leave,
    stop() {
      clearInterval(heart)
      stopLive()
      admissions.stop()
      queries.removeQueries({ queryKey: ['sessions', id] })
      stopWatching()
      return open.current()?.end() ?? 0
    },
  }

  async function renameTo(name: string): Promise<void> {
    const root = open.current()?.keys.current().root
    if (!root) return
    const participantId = entered.session.participant_id ?? ''
    const own = { senderId, senderName: name, sentAt: Date.now() }
    await calls.rename(await sealSessionName({ root, sessionId: id, participantId, ...own }))
    me.set({ name, isMe: true })
  }
}

interface Furnishing extends Parts {
  readonly calls: RoomCalls
  readonly keys: SessionKeys
  readonly me: ReturnType<typeof createMe>['current']
}

function furnish({ entered, keys, call, calls, queries, me, connection, origin }: Furnishing): OpenedRoom {
  const { session, participantToken } = entered
  const transfers = createRoomTransfers({ sessionId: session.id, participantToken, keys, call, connection })
  return openRoomWith({ entered, keys, calls, queries, me, transfers, origin })
}

function secretOf(link: string, pin: string): Uint8Array<ArrayBuffer> {
  const invitation = URL.canParse(link.trim()) ? readInviteLink(new URL(link.trim())) : null
  if (invitation === null || invitation.pin !== pin) throw new SpokenError(sessionWords.wrongLink)
  if ('isIncomplete' in invitation || invitation.linkSecret === null) throw new SpokenError(sessionWords.linkIncomplete)
  return invitation.linkSecret
}
