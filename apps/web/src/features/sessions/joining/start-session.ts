import { serverClock } from '@sallyport/browser/server-clock'
import type { Call, Connection } from '@sallyport/client/call'
import { alwaysOnline } from '@sallyport/client/connectivity'
import { parseCopiedUrl } from '@sallyport/client/copied-url'
import { openLiveChannel } from '@sallyport/client/live'
import { createSubject } from '@sallyport/client/observable'
import { buildInviteLink, parseInviteLink } from '@sallyport/client/sessions/invite-link'
import type { JoinedSession } from '@sallyport/client/sessions/join-session'
import { readParticipantName } from '@sallyport/client/sessions/read-session'
import { openSessionContext, type SessionContext } from '@sallyport/client/sessions/session-keys'
import { trackSessionKeys } from '@sallyport/client/sessions/track-session-keys'
import { ignore } from '@sallyport/contract/ignore'
import { sessionLimits } from '@sallyport/contract/limits'
import type { Session } from '@sallyport/contract/session-shapes'
import { sealSessionName, toBase64url } from '@sallyport/crypto'
import type { QueryClient } from '@tanstack/react-query'
import { followLive } from '#/lib/realtime/follow-live.ts'
import { UserFacingError } from '#/strings/errors/message-for.ts'
import { sessionStrings } from '#/strings/sessions.ts'
import { chosenName, createAnonymousNames } from '../room/anonymous-names.ts'
import type { CurrentSession, OwnAuthor, SessionEndReason } from '../room/current-session.ts'
import { createSessionAdmissionRelay } from '../room/session-admission-relay.ts'
import { createSessionAdmissions } from '../room/session-admissions.ts'
import { createSessionApi } from '../room/session-api.ts'
import { handleSessionEvent } from '../room/session-events.ts'
import { createSessionFileUpdates } from '../room/session-file-updates.ts'
import { type OpenTabChannel, openSessionTabs } from '../room/session-tabs.ts'
import { createSessionTransfers } from '../room/session-transfers.ts'
import { createUnlockedSession, type UnlockedSessionState } from '../room/unlocked-session.ts'
import { createUnreadMessages } from '../room/unread-messages.ts'
import { filesKey } from '../session.queries.ts'

interface StartSessionInput {
  readonly entered: JoinedSession
  readonly call: Call
  readonly connection: Connection
  readonly queries: QueryClient
  readonly origin: string
  readonly openChannel: OpenTabChannel
  /** The name to take; empty for none. */
  readonly name: string
  /** Called when the session ends for this participant. */
  readonly onEnded: (reason: SessionEndReason) => void
  /** Called when a private session was unlocked by its link. */
  readonly onUnlocked: (linkSecret: Uint8Array<ArrayBuffer>) => void
}

export interface ManagedSession extends CurrentSession {
  readonly leave: () => Promise<void>
  /** Stops polling and transfers. Returns the number of cancelled uploads. */
  readonly stop: () => number
}

/** Starts a joined session: subscribes to its events, sends heartbeats, and keeps its lists up to date. */
export async function startSession(input: StartSessionInput): Promise<ManagedSession> {
  const { entered, call, connection, queries, origin, openChannel, onEnded } = input
  const { connectivity = alwaysOnline } = connection
  const { pin, keyMode: mode, senderId } = entered
  const { id } = entered.session
  const session = createSubject<Session>(entered.session)
  const unlocked = createSubject<UnlockedSessionState | null>(null)
  const anonymousNames = createAnonymousNames()
  anonymousNames.number(entered.session.participants)
  const ownAuthor = (name: string): OwnAuthor => ({
    name: chosenName(name) ?? anonymousNames.nameOf(entered.session.participant_id),
    isMe: true,
    chosenName: chosenName(name),
  })
  const me = createSubject(ownAuthor(''))
  const unread = createUnreadMessages()
  const files = createSessionFileUpdates(queries, id)
  let linkSecret = entered.linkSecret
  let stopTransfers = () => {}
  const tabs = openSessionTabs({
    openChannel,
    sessionId: id,
    participant: () => ({
      participantToken: entered.participantToken,
      linkSecret: linkSecret && toBase64url(linkSecret),
      senderId,
    }),
    onLeft: () => onEnded('left'),
  })
  const api = createSessionApi({ call, entered, onEnded: () => onEnded('closed') })
  const relay = createSessionAdmissionRelay(api)
  const admissions = createSessionAdmissions({ relay, origin, sessionId: id })

  async function unlockWith(secret: Uint8Array<ArrayBuffer> | null): Promise<void> {
    const holder = { ...entered, session: session.current(), linkSecret: secret }
    const context = await openSessionContext(holder)
    if (context === null) return
    linkSecret = secret
    const keys = trackSessionKeys({ holder, context, fetchSession: api.get })
    if (mode === 'secret' && secret) await admissions.open(secret)
    const { participantToken } = entered
    const transfers = createSessionTransfers({ sessionId: id, participantToken, keys, call, connection })
    const unlockedSession = createUnlockedSession({
      entered,
      keys,
      api,
      queries,
      connectivity,
      me: me.current,
      anonymousNames,
      transfers,
      origin,
    })
    unlockedSession.participantNames.open(session.current().participants)
    stopTransfers = unlockedSession.watch({ onUploaded: files.onUploaded, onDiscarded: files.refetch })
    unlocked.set(unlockedSession)
    await restoreOwnName(context)
  }

  /** Takes the name that was entered, or restores the one that a rejoining participant had before. */
  async function restoreOwnName(context: SessionContext): Promise<void> {
    if (input.name !== '') {
      await rename(input.name).catch((error) => ignore(error, 'it can be set in the settings'))
      return
    }
    const { participants, participant_id: mine } = session.current()
    const own = participants.find((one) => one.id === mine)
    const read = own && (await readParticipantName(own, context))
    // A name that was encrypted by another sender is ignored, even if the server attributes it to this participant.
    if (read && (read.senderId ?? senderId) === senderId) me.set(ownAuthor(read.name))
  }

  async function rename(name: string): Promise<void> {
    const root = unlocked.current()?.keys.current().root
    if (!root) return
    const participantId = entered.session.participant_id ?? ''
    const own = { senderId, senderName: name, sentAt: serverClock.now() }
    await api.rename(name === '' ? null : await sealSessionName({ root, sessionId: id, participantId, ...own }))
    me.set(ownAuthor(name))
  }

  const applySession = (next: Session) => {
    anonymousNames.number(next.participants)
    session.set(next)
    const unlockedSession = unlocked.current()
    void unlockedSession?.keys.update(next)
    unlockedSession?.participantNames.open(next.participants)
  }
  const refresh = () => void api.get().then(applySession, () => undefined)
  const refreshLists = () => {
    if (mode === 'secret') relay.catchUp()
    void unlocked.current()?.sync.refresh()
    files.refetch()
  }

  const pollLists = () => {
    if (mode === 'secret') relay.catchUp()
    void unlocked.current()?.sync.poll()
    void queries.invalidateQueries({ queryKey: filesKey(id) }, { cancelRefetch: false })
  }

  const stopEvents = followLive({
    channel: openLiveChannel({ getTicket: api.ticket, origin }),
    onEvent: (event) =>
      handleSessionEvent(event, {
        session,
        unlocked,
        unread,
        files,
        relay,
        applySession,
        refresh,
        refreshLists,
        onEnded,
      }),
    polls: [
      { everyMs: sessionLimits.pollEveryMs, poll: pollLists },
      { everyMs: sessionLimits.pollEveryMs, poll: refresh },
    ],
  })
  const sendHeartbeat = () => void api.heartbeat().catch((error) => ignore(error, 'the next heartbeat follows'))
  sendHeartbeat()
  const heartbeatTimer = setInterval(sendHeartbeat, sessionLimits.heartbeatEveryMs)

  await unlockWith(linkSecret)
  return {
    id,
    pin,
    keyMode: mode,
    session,
    unlocked,
    me,
    anonymousNameOf: anonymousNames.nameOf,
    unread,
    inviteLink: () => buildInviteLink(origin, { pin, linkSecret: mode === 'secret' ? linkSecret : null }),
    async unlock(link) {
      const secret = parseLinkSecret(link, pin)
      await unlockWith(secret)
      input.onUnlocked(secret)
    },
    changeSettings: async (settings) => applySession(await api.changeSettings(settings)),
    rename,
    remove: api.remove,
    admissionQueue: admissions.admissionQueue,
    async requestAdmission() {
      const request = await admissions.ask()
      void request.linkSecret.then(async (secret) => {
        await unlockWith(secret)
        input.onUnlocked(secret)
      })
      return request
    },
    answerJoinRequest: async (knockId, admit) => {
      await api.answerJoinRequest(knockId, admit)
      refresh()
    },
    async leave() {
      tabs.announceLeaving()
      await api.leave()
    },
    stop() {
      clearInterval(heartbeatTimer)
      tabs.close()
      stopEvents()
      admissions.stop()
      files.stop()
      queries.removeQueries({ queryKey: ['sessions', id] })
      stopTransfers()
      unlocked.current()?.close()
      return unlocked.current()?.end() ?? 0
    },
  }
}

function parseLinkSecret(link: string, pin: string): Uint8Array<ArrayBuffer> {
  const url = parseCopiedUrl(link)
  const invitation = url && parseInviteLink(url)
  if (invitation === null || invitation.pin !== pin) throw new UserFacingError(sessionStrings.wrongLink)
  if ('isIncomplete' in invitation || invitation.linkSecret === null)
    throw new UserFacingError(sessionStrings.linkIncomplete)
  return invitation.linkSecret
}
