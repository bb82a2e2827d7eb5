import type { ApiError } from '@sallyport/client/errors'
import { PortalError } from '@sallyport/client/portal/errors'
import { defaultPortalOptions, type JoinInput } from '@sallyport/client/portal/pairing/room-code'
import type { PortalState } from '@sallyport/client/portal/portal-state'
import { legacyPortalLimits } from '@sallyport/contract/limits'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useFileDrop } from '#/components/file-input/use-file-drop.ts'
import { PageDropOverlay } from '#/components/transfers/page-drop-overlay.tsx'
import { Banner } from '#/components/ui/banner.tsx'
import { Button } from '#/components/ui/button.tsx'
import { Card } from '#/components/ui/card.tsx'
import { useTitle } from '#/components/ui/hooks/use-title.ts'
import { portalScreenStrings } from '#/strings/portals/portal.ts'
import { describePortalCode, describePortalError, portalErrorStrings } from '#/strings/portals/portal-errors.ts'
import { productName } from '#/strings/product.ts'
import { Gateway } from './gateway.tsx'
import { PortalJoinForm } from './pairing/portal-join-form.tsx'
import { readPortalLink, toJoinInput } from './pairing/portal-link.ts'
import { PortalOpen } from './pairing/portal-open.tsx'
import { usePortal, usePortalContext, usePortalJobs, usePortalState } from './portal-context.ts'
import { type PortalEnding, type PortalIntent, usePortalEntry } from './portal-entry.ts'
import { PortalMenu } from './portal-menu.tsx'
import { ScanButton } from './scan/scan-button.tsx'
import { InterruptedTransfersCard } from './transfer/interrupted-transfers-card.tsx'
import type { PortalJob } from './transfer/portal-jobs.ts'
import { PortalTransfer } from './transfer/portal-transfer.tsx'
import { QueuedFilesBanner } from './transfer/queued-files-banner.tsx'
import { useSending } from './transfer/use-sending.ts'

interface PortalPageProps {
  readonly isAnonymous?: boolean
  /** Called when an open portal has ended, with a message where the other device closed it or a transfer failed. */
  readonly onEnded?: (ending: PortalEnding | null) => void
}

/** Creates, joins, uses and closes a direct connection between two devices. */
export function PortalPage({ isAnonymous = false, onEnded }: PortalPageProps) {
  useTitle(`${portalScreenStrings.title} · ${productName}`)
  const { portal, deviceName } = usePortalContext()
  const state = usePortalState()
  const jobs = usePortalJobs()
  const [options, setOptions] = useState(defaultPortalOptions)
  const { sendPicked, sendFolders, sendQueued, ...sending } = useSending({ createPortal: () => portal.create(options) })
  const [isByLink, setByLink] = useState(false)
  const [isScanning, setScanning] = useState(false)
  usePortalIntent(isAnonymous, {
    onByLink: setByLink,
    onScan: () => setScanning(true),
    onFiles: sendPicked,
    onFolders: sendFolders,
  })
  const [isClosedByOther, setClosedByOther] = useState(false)
  usePeerClosed(state.closedByPeer, onEnded ?? (({ isFailure }) => setClosedByOther(!isFailure)))
  if (isClosedByOther && state.mode !== 'menu') setClosedByOther(false)
  useFocusRestored(state.isCodeLimitReached ? 'code-limit-reached' : state.mode)
  const isOpen = state.mode === 'create' || state.mode === 'connected'
  const current = jobs.find(({ state: { status } }) => status !== 'failed') ?? null
  const { isOver, fileCount } = useFileDrop({
    onFiles: sendPicked,
    onFolders: sendFolders,
    onNothing: sending.reportNothing,
    enabled: current === null,
  })

  function close() {
    portal.close()
    onEnded?.(null)
  }

  function join(input: JoinInput) {
    setByLink('secret' in input)
    portal.join(input)
  }

  return (
    <div className="mx-auto grid max-w-[62rem] gap-5 px-4 pt-7 pb-16 md:px-6">
      <h1 className={isOpen ? 'sr-only' : 'heading-large text-3xl max-md:text-2xl'}>
        {isAnonymous && state.isConnected ? portalScreenStrings.anonymousHeader : portalScreenStrings.title}
      </h1>
      <Notices formatError={(error) => messageOf(error, { isAnonymous, isByLink })} {...sending} />
      {isClosedByOther ? (
        <Banner onDismiss={() => setClosedByOther(false)}>{portalScreenStrings.closedByOther}</Banner>
      ) : null}
      {current === null && state.mode !== 'connecting' ? <InterruptedTransfersCard state={state} /> : null}
      <QueuedFilesBanner state={state} onSend={sendQueued} />
      {state.mode === 'menu' ? (
        <PortalMenu
          options={options}
          onOptions={setOptions}
          onCreate={() => portal.create(options)}
          onFiles={sendPicked}
        >
          <PortalJoinForm onJoin={(pin) => join({ pin })} />
          <ScanButton isOpen={isScanning} onOpenChange={setScanning} onJoin={join} />
        </PortalMenu>
      ) : null}
      {state.mode === 'connecting' ? <Connecting onCancel={close} /> : null}
      {isOpen ? (
        <PortalOpen state={state} deviceName={deviceName} job={current} onFiles={sendPicked} onClose={close} />
      ) : null}
      {current ? <PortalTransfer job={current} path={state.path} onCancel={() => portal.cancel(current.kind)} /> : null}
      <PageDropOverlay open={isOver} fileCount={fileCount} formatLabel={() => portalScreenStrings.drop} />
    </div>
  )
}

interface NoticesProps {
  readonly formatError: (error: PortalError | ApiError) => string
  /** Why sending did not start. */
  readonly error: string | null
  readonly skippedMessage: string
  readonly dismissSkipped: () => void
}

function Notices({ formatError: format, error: unsentError, skippedMessage, dismissSkipped }: NoticesProps) {
  const portal = usePortal()
  const { error, notice } = usePortalState()
  const failed = findFailed(usePortalJobs())
  const failure = unsentError ?? (failed && failureMessage(failed.error))
  const isCancelled = !unsentError && isPortalError(failed?.error, 'CANCELLED')
  return (
    <>
      {error ? (
        <Banner
          tone="rust"
          urgent
          actions={
            isUnused(error) ? (
              <Button size="compact" onClick={portal.createAgain}>
                {portalScreenStrings.createAgain}
              </Button>
            ) : null
          }
          onDismiss={portal.dismiss}
        >
          <span className="block">{format(error)}</span>
          {isCodeRefused(error) ? (
            <span className="block font-normal">{portalErrorStrings.codeMayHaveChanged}</span>
          ) : null}
        </Banner>
      ) : null}
      {notice ? (
        <Banner tone="brass" urgent onDismiss={portal.dismiss}>
          {describePortalCode(notice)}
        </Banner>
      ) : null}
      {isCancelled ? <Banner>{portalScreenStrings.cancelled}</Banner> : null}
      {failure && !isCancelled ? (
        <Banner tone="rust" urgent>
          {failure}
        </Banner>
      ) : null}
      {skippedMessage === '' ? null : (
        <Banner tone="brass" onDismiss={dismissSkipped}>
          {skippedMessage}
        </Banner>
      )}
    </>
  )
}

interface JoinContext {
  readonly isAnonymous: boolean
  readonly isByLink: boolean
}

/** The message for an error, matching how the user joined. */
function messageOf(error: PortalError | ApiError, { isAnonymous, isByLink }: JoinContext): string {
  const code = error instanceof PortalError ? error.code : null
  if (isByLink && code === 'CANNOT_JOIN') return portalErrorStrings.joinByLinkFailed
  if (isAnonymous && code === 'CANNOT_REACH') return portalErrorStrings.joinAsVisitorFailed
  return describePortalError(error)
}

/** Whether the code opened nothing, as a code does that was replaced. */
const isCodeRefused = (error: PortalError | ApiError): boolean =>
  error instanceof PortalError && (error.code === 'CANNOT_JOIN' || error.code === 'CANNOT_ENTER')

/** Whether nobody joined the portal that was created. */
const isUnused = (error: PortalError | ApiError): boolean =>
  error instanceof PortalError && error.code === 'NOBODY_JOINED'

const findFailed = (jobs: readonly PortalJob[]) =>
  jobs.map(({ state }) => state).find((state) => state.status === 'failed')

const isPortalError = (error: Error | undefined, code: PortalError['code']): boolean =>
  error instanceof PortalError && error.code === code

const failureMessage = (error: Error | undefined): string =>
  error instanceof PortalError
    ? portalScreenStrings.failed(describePortalError(error))
    : portalScreenStrings.transferFailed

const cancelAfterMs = 5000

function Connecting({ onCancel }: { readonly onCancel: () => void }) {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), cancelAfterMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Card depth="float" role="status" className="mx-auto w-full max-w-[30rem] text-center">
      <Gateway local="ajar" remote="ajar" />
      <p className="heading mt-5 text-xl">{portalScreenStrings.connecting}</p>
      <p className="mt-1 text-sm text-ink-2">{portalScreenStrings.settingUp}</p>
      {isLong ? (
        <Button className="mt-5" onClick={onCancel}>
          {portalScreenStrings.cancel}
        </Button>
      ) : null}
    </Card>
  )
}

function joinInputFor(intent: Extract<PortalIntent, { kind: 'join' | 'follow' }>): JoinInput {
  if (intent.kind === 'join') return { pin: intent.pin }
  const link = readPortalLink(new URL(intent.link))
  const input = link ? toJoinInput(link) : { pin: '' }
  return 'pin' in input ? { ...input, isFromAddress: true } : input
}

interface IntentHandlers {
  readonly onByLink: (isByLink: boolean) => void
  readonly onScan: () => void
  readonly onFiles: (files: readonly File[]) => void
  readonly onFolders: (entries: readonly FileSystemEntry[]) => void
}

/** Executes the intent of a link or of the front page. */
function usePortalIntent(isAnonymous: boolean, { onByLink, onScan, onFiles, onFolders }: IntentHandlers): void {
  const portal = usePortal()
  const { consumeIntent } = usePortalEntry()
  const execute = useEffectEvent((intent: PortalIntent) => {
    if (intent.kind === 'create') return portal.create()
    if (intent.kind === 'scan') return onScan()
    if (intent.kind === 'send') return onFiles(intent.files)
    if (intent.kind === 'send-folders') return onFolders(intent.entries)
    onByLink(intent.kind === 'follow')
    portal.join(joinInputFor(intent))
  })
  useEffect(() => {
    const intent = consumeIntent()
    if (!intent) return
    const delayMs =
      isAnonymous && (intent.kind === 'join' || intent.kind === 'follow') ? legacyPortalLimits.anonymousJoinDelayMs : 0
    setTimeout(() => execute(intent), delayMs)
  }, [isAnonymous, consumeIntent])
}

function usePeerClosed(closedByPeer: boolean, onEnded: (ending: PortalEnding) => void): void {
  const { portal, transfers } = usePortalContext()
  const handleClosed = useEffectEvent(() => {
    // An earlier failure, which is shown for a moment, is not why the portal ended.
    const error = findFailed(transfers.current())?.error
    portal.dismiss()
    onEnded(
      isPortalError(error, 'CLOSED')
        ? { text: failureMessage(error), isFailure: true }
        : { text: portalScreenStrings.closedByOther, isFailure: false },
    )
  })
  useEffect(() => {
    if (closedByPeer) handleClosed()
  }, [closedByPeer])
}

/**
 * Moves focus to the page when the focused element disappears with its screen, so that keyboard navigation continues
 * there.
 */
function useFocusRestored(mode: PortalState['mode'] | 'code-limit-reached'): void {
  const shown = useRef(mode)
  useEffect(() => {
    if (shown.current !== mode && document.activeElement === document.body) {
      document.getElementById('main')?.focus({ preventScroll: true })
    }
    shown.current = mode
  }, [mode])
}
