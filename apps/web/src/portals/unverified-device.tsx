import { ConfirmDialog } from '#/ui/confirm-dialog.tsx'
import { useLastShown } from '#/ui/use-last-shown.ts'
import { unverifiedWords } from '#/words/portal-unverified.ts'
import { type UnverifiedQuestion, useUnverifiedQuestion } from './portal-context.ts'

/** Asks before a device is connected that cannot prove the code, or by a code that the server may know. */
export function UnverifiedDevice() {
  const question = useUnverifiedQuestion()
  // The text stays while the dialog closes.
  const shown = useLastShown(question)
  return (
    <ConfirmDialog
      open={question !== null}
      onOpenChange={() => question?.answer(false)}
      title={unverifiedWords.title}
      description={shown ? describe(shown) : ''}
      cancelLabel={unverifiedWords.decline}
      confirmLabel={unverifiedWords.allow}
      onConfirm={() => question?.answer(true)}
    />
  )
}

function describe({ role, name, isCodeFromAddress = false }: UnverifiedQuestion) {
  const words = unverifiedWords
  if (role === 'joiner') {
    return isCodeFromAddress ? `${words.byAddress} ${words.byAddressHint}` : `${words.byJoiner} ${words.byJoinerHint}`
  }
  return (
    <>
      <bdi className="font-semibold text-ink wrap-anywhere">{words.name(name)}</bdi> {words.byCreator}{' '}
      {words.byCreatorHint}
    </>
  )
}
