import { CleanupType } from '@sallyport/contract/admin-maintenance'
import { useState } from 'react'
import { Button } from '#/components/ui/button.tsx'
import { Card, CardHeading } from '#/components/ui/card.tsx'
import { FormAlert } from '#/components/ui/inputs/form-alert.tsx'
import { ConfirmDialog } from '#/components/ui/overlays/confirm-dialog.tsx'
import { adminMaintenanceStrings as strings } from '#/strings/admin/maintenance.ts'
import type { ReauthGuard } from '../user/use-change.ts'
import { type CleanupState, filesOf, useCleanup } from './use-cleanup.ts'

/** The three cleanups, each after a question, with what it has removed. */
export function CleanupCard({ guard, reauthDialog }: ReauthGuard) {
  const cleanup = useCleanup({ guard })
  const [asked, setAsked] = useState<CleanupType>('expired')
  const [isOpen, setOpen] = useState(false)
  const { state } = cleanup
  const isRunning = state !== null && state.outcome === null

  function ask(type: CleanupType) {
    setAsked(type)
    setOpen(true)
  }

  function start() {
    setOpen(false)
    void cleanup.start(asked)
  }

  return (
    <Card aria-labelledby="cleanup-heading" className="max-w-180">
      <CardHeading id="cleanup-heading" title={strings.heading} />
      <p className="mt-1.5 text-sm text-ink-2">{strings.text}</p>
      <ul className="mt-2 grid">
        {CleanupType.options.map((type) => (
          <CleanupRow
            key={type}
            type={type}
            state={state?.type === type ? state : null}
            isDisabled={isRunning}
            onAsk={() => ask(type)}
            onStop={cleanup.stop}
          />
        ))}
      </ul>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title={strings.types[asked].question}
        description={strings.types[asked].consequence}
        confirmLabel={strings.cleanUp}
        onConfirm={start}
      />
      {isRunning ? reauthDialog : null}
    </Card>
  )
}

interface CleanupRowProps {
  readonly type: CleanupType
  /** Null unless it runs or has run last. */
  readonly state: CleanupState | null
  readonly isDisabled: boolean
  readonly onAsk: () => void
  readonly onStop: () => void
}

function CleanupRow({ type, state, isDisabled, onAsk, onStop }: CleanupRowProps) {
  const { title, text } = strings.types[type]
  const isRunning = state !== null && state.outcome === null
  return (
    <li className="grid grid-cols-[1fr_auto] items-center gap-x-4 border-t border-line py-3.5 first:border-t-0">
      <div className="min-w-0">
        <p className="text-sm font-semibold">{title}</p>
        <p className="mt-0.5 text-sm text-ink-2">{text}</p>
      </div>
      {isRunning ? (
        <Button size="compact" onClick={onStop}>
          {strings.stop}
        </Button>
      ) : (
        <Button size="compact" aria-label={strings.cleanUpOf(title)} disabled={isDisabled} onClick={onAsk}>
          {strings.cleanUp}
        </Button>
      )}
      {state ? (
        <div className="col-span-2">
          <CleanupResult state={state} />
        </div>
      ) : null}
    </li>
  )
}

function CleanupResult({ state: { removed, outcome } }: { readonly state: CleanupState }) {
  if (outcome?.isError) return <FormAlert message={outcome.text} />
  return (
    <p role="status" className="mt-2 text-sm font-medium text-ink tabular-nums">
      {outcome ? outcome.text : strings.progress(filesOf(removed))}
    </p>
  )
}
