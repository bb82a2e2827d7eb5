import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { Button } from '#/ui/button.tsx'
import { PinField } from '#/ui/pin-field.tsx'
import { portalAccessWords } from '#/words/portal-access.ts'

/** One box for the code, and a button that wakes up with its last digit. */
export function PortalJoinForm({ onJoin }: { readonly onJoin: (pin: string) => void }) {
  const [pin, setPin] = useState('')
  const [error, setError] = useState<string | null>(null)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (pin.length === 6) onJoin(pin)
  }

  /** A button that sleeps takes no Enter, and somebody who presses it wants to know why. */
  function explain({ key, target }: KeyboardEvent) {
    if (key !== 'Enter' || !(target instanceof HTMLInputElement) || pin.length === 6) return
    setError(pin === '' ? portalAccessWords.pinMissing : portalAccessWords.pinLength)
  }

  return (
    <form noValidate onSubmit={submit} onKeyDown={explain} className="flex flex-col gap-4">
      <PinField
        label={portalAccessWords.pin}
        value={pin}
        error={error}
        onChange={(digits) => {
          setPin(digits)
          setError(null)
        }}
      />
      <Button type="submit" variant="primary" size="large" fullWidth disabled={pin.length < 6}>
        {portalAccessWords.join}
      </Button>
    </form>
  )
}
