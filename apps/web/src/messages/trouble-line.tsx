import { useSyncExternalStore } from 'react'
import { FormAlert } from '#/ui/form-alert.tsx'
import { useIsPhone } from '#/ui/use-is-phone.ts'
import { chatWords } from '#/words/chat.ts'
import type { Troubles } from './troubles.ts'

/** What has just gone wrong, beside the box that the text was given back to. */
export function TroubleLine({ troubles }: { readonly troubles: Troubles }) {
  const trouble = useSyncExternalStore(troubles.subscribe, troubles.current)
  const isPhone = useIsPhone()
  if (!trouble) return <FormAlert message={null} />
  return (
    <FormAlert
      message={
        <>
          <span className="block">{isPhone ? chatWords.onPhone(trouble.line) : trouble.line}</span>
          {trouble.meaning ? <span className="block font-normal">{trouble.meaning}</span> : null}
        </>
      }
    />
  )
}
