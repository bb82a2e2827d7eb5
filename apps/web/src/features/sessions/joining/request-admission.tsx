import type { AdmissionRequest, AdmissionRequestState } from '@sallyport/client/sessions/request-admission'
import { type FormEvent, useEffect, useState } from 'react'
import { Button } from '#/components/ui/button.tsx'
import { FormAlert } from '#/components/ui/inputs/form-alert.tsx'
import { PinField } from '#/components/ui/inputs/pin-field.tsx'
import { useObservable } from '#/lib/use-observable.ts'
import { sessionStrings } from '#/strings/sessions.ts'
import { useCurrentSession } from '../sessions-context.ts'

/**
 * Requests the key of a private session that was joined by PIN: a member reads out a code, and entering it transfers
 * the key.
 */
export function RequestAdmission() {
  const { requestAdmission } = useCurrentSession()
  const [request, setRequest] = useState<AdmissionRequest | null>(null)

  useEffect(() => () => request?.stop(), [request])

  if (request) return <AdmissionRequestForm request={request} />
  return <Button onClick={() => void requestAdmission().then(setRequest)}>{sessionStrings.requestAdmission}</Button>
}

function AdmissionRequestForm({ request }: { readonly request: AdmissionRequest }) {
  const state = useObservable(request)
  const [code, setCode] = useState('')

  function submit(event: FormEvent) {
    event.preventDefault()
    void request.enterCode(code)
    setCode('')
  }

  const failure = failureOf(state)
  if (failure) {
    return (
      <div className="grid justify-items-center gap-3">
        <FormAlert message={failure} />
        <Button onClick={() => void request.retry()}>{sessionStrings.requestAdmission}</Button>
      </div>
    )
  }
  return (
    <form noValidate className="grid w-full max-w-form gap-3 text-start" onSubmit={submit}>
      <p role="status" className="text-sm text-ink-2">
        {state === 'verifying' ? sessionStrings.checkingCode : sessionStrings.requestSent}
      </p>
      {state === 'code' ? (
        <>
          <PinField label={sessionStrings.admissionCode} value={code} onChange={setCode} />
          <Button type="submit" variant="primary" disabled={code.length < 6}>
            {sessionStrings.open}
          </Button>
        </>
      ) : null}
    </form>
  )
}

function failureOf(state: AdmissionRequestState): string | null {
  if (state === 'wrong-code') return sessionStrings.wrongCode
  if (state === 'denied') return sessionStrings.requestDenied
  return state === 'expired' ? sessionStrings.codeExpired : null
}
