import { visibleName } from '#/components/names/visible-name.ts'
import { useLastShown } from '#/components/ui/hooks/use-last-shown.ts'
import { ConfirmDialog } from '#/components/ui/overlays/confirm-dialog.tsx'
import { useObservable } from '#/lib/use-observable.ts'
import { unverifiedDeviceStrings } from '#/strings/portals/portal-unverified.ts'
import { type UnverifiedPrompt, usePortalContext } from '../portal-context.ts'

const maxNameLength = 60

/** Asks before connecting to a device that cannot prove the code, or by a code that the server may know. */
export function UnverifiedDevice() {
  const question = useObservable(usePortalContext().unverifiedPrompt)
  // Keeps the last prompt so that the text stays while the dialog closes.
  const shown = useLastShown(question)
  return (
    <ConfirmDialog
      open={question !== null}
      onOpenChange={() => question?.answer(false)}
      title={unverifiedDeviceStrings.title}
      description={shown ? describePrompt(shown) : ''}
      cancelLabel={unverifiedDeviceStrings.decline}
      confirmLabel={unverifiedDeviceStrings.allow}
      onConfirm={() => question?.answer(true)}
    />
  )
}

function describePrompt({ role, name, isCodeFromAddress = false }: UnverifiedPrompt) {
  const strings = unverifiedDeviceStrings
  if (role === 'joiner') {
    return isCodeFromAddress
      ? `${strings.codeInAddress} ${strings.codeInAddressHint}`
      : `${strings.toJoiner} ${strings.toJoinerHint}`
  }
  return (
    <>
      <bdi className="font-semibold text-ink wrap-anywhere">
        {name.trim() === '' ? strings.unnamed : strings.name(visibleName(name.slice(0, maxNameLength)))}
      </bdi>{' '}
      {strings.toCreator} {strings.toCreatorHint}
    </>
  )
}
