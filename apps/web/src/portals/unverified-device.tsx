import { ConfirmDialog } from '#/ui/confirm-dialog.tsx'
import { unverifiedWords } from '#/words/portal-unverified.ts'
import { useUnverifiedQuestion } from './portal-context.ts'

/** Asks before a device is connected that cannot prove the code. */
export function UnverifiedDevice() {
  const question = useUnverifiedQuestion()
  const { name, byCreator, byCreatorHint, byJoiner, byJoinerHint } = unverifiedWords
  const isCreator = question?.role === 'creator'
  return (
    <ConfirmDialog
      open={question !== null}
      onOpenChange={() => question?.answer(false)}
      title={unverifiedWords.title}
      description={
        <>
          {isCreator ? (
            <>
              <bdi className="font-semibold text-ink wrap-anywhere">{name(question.name)}</bdi> {byCreator}
            </>
          ) : (
            byJoiner
          )}{' '}
          {isCreator ? byCreatorHint : byJoinerHint}
        </>
      }
      cancelLabel={unverifiedWords.decline}
      confirmLabel={unverifiedWords.allow}
      onConfirm={() => question?.answer(true)}
    />
  )
}
