import { useSyncExternalStore } from 'react'
import { useIsPhone } from '#/components/ui/hooks/use-is-phone.ts'
import { FormAlert } from '#/components/ui/inputs/form-alert.tsx'
import { chatStrings } from '#/strings/chat.ts'
import type { ErrorNotices } from './error-notices.ts'

/** Shows the last error next to the composer. */
export function ErrorLine({ errors }: { readonly errors: ErrorNotices }) {
  const error = useSyncExternalStore(errors.subscribe, errors.current)
  const isPhone = useIsPhone()
  if (!error) return <FormAlert message={null} />
  return (
    <FormAlert
      message={
        <>
          <span className="block">{isPhone ? chatStrings.phoneError(error.title) : error.title}</span>
          {error.detail ? <span className="block font-normal">{error.detail}</span> : null}
        </>
      }
    />
  )
}
