import type { PortalState } from '@sallyport/client/portal/portal'
import { formatBytes } from '@sallyport/contract/formats'
import { ConfirmDialog } from '#/ui/confirm-dialog.tsx'
import { portalWords } from '#/words/portal.ts'
import { useBasicQuestion, usePortal } from './portal-context.ts'

/** What has to be answered before anything goes on: an offer of files, and a device that cannot be verified. */
export function PortalQuestions({ state }: { readonly state: PortalState }) {
  const portal = usePortal()
  const answerBasic = useBasicQuestion()
  const { offer } = state.exchange
  const [first] = offer?.files ?? []
  const what = first && offer?.files.length === 1 ? first.name : portalWords.moreFiles(offer?.files.length ?? 0)
  return (
    <>
      <ConfirmDialog
        open={offer !== null}
        onOpenChange={() => portal.answer(false)}
        title={portalWords.wants(state.peerName, what)}
        description={formatBytes(offer?.total ?? 0)}
        cancelLabel={portalWords.decline}
        confirmLabel={portalWords.accept}
        tone="primary"
        onConfirm={() => portal.answer(true)}
      />
      <ConfirmDialog
        open={answerBasic !== null}
        onOpenChange={() => answerBasic?.(false)}
        title={portalWords.basicTitle}
        description={portalWords.basicQuestion}
        confirmLabel={portalWords.basicContinue}
        tone="primary"
        onConfirm={() => answerBasic?.(true)}
      />
    </>
  )
}
