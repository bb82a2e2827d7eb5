import type { Asking } from '@sallyport/client/sessions/ask-admission'
import { type FormEvent, useEffect, useState, useSyncExternalStore } from 'react'
import { Button } from '#/ui/button.tsx'
import { FormAlert } from '#/ui/form-alert.tsx'
import { PinField } from '#/ui/pin-field.tsx'
import { sessionWords } from '#/words/sessions.ts'
import { useRoom } from './sessions-context.ts'

/** For whoever has the PIN of a private session and not its link: a member tells a code, and with it hands over the key. */
export function AskAdmission() {
  const { askIn } = useRoom()
  const [asking, setAsking] = useState<Asking | null>(null)

  useEffect(() => () => asking?.stop(), [asking])

  if (asking) return <AskedIn asking={asking} />
  return <Button onClick={() => void askIn().then(setAsking)}>{sessionWords.askIn}</Button>
}

function AskedIn({ asking }: { readonly asking: Asking }) {
  const state = useSyncExternalStore(asking.subscribe, asking.current)
  const [code, setCode] = useState('')

  function submit(event: FormEvent) {
    event.preventDefault()
    void asking.enterCode(code)
    setCode('')
  }

  if (state === 'wrong-code') {
    return (
      <div className="grid justify-items-center gap-3">
        <FormAlert message={sessionWords.wrongCode} />
        <Button onClick={() => void asking.again()}>{sessionWords.askIn}</Button>
      </div>
    )
  }
  return (
    <form noValidate className="grid w-full max-w-form gap-3 text-start" onSubmit={submit}>
      <p role="status" className="text-sm text-ink-2">
        {state === 'verifying' ? sessionWords.checkingCode : sessionWords.asked}
      </p>
      {state === 'code' ? (
        <>
          <PinField label={sessionWords.admissionCode} value={code} onChange={setCode} />
          <Button type="submit" variant="primary" disabled={code.length < 6}>
            {sessionWords.open}
          </Button>
        </>
      ) : null}
    </form>
  )
}
