import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { Button } from '#/components/ui/button.tsx'
import { PinField } from '#/components/ui/inputs/pin-field.tsx'
import { portalAccessStrings as words } from '#/strings/portals/portal-access.ts'

/**
 * A field for the code and a button that is enabled by the last digit. A seventh digit extends the field to eight,
 * because the first six digits of an eight-digit code may be the code of another portal.
 */
export function PortalJoinForm({ onJoin }: { readonly onJoin: (pin: string) => void }) {
  const [isLongChosen, setLongChosen] = useState(false)
  const [pin, setPin] = useState('')
  const [error, setError] = useState<string | null>(null)
  const isLong = isLongChosen || pin.length > 6
  const digits = isLong ? 8 : 6

  function submit(event: FormEvent) {
    event.preventDefault()
    if (pin.length === digits) onJoin(pin)
  }

  /** Explains why Enter does nothing while the button is disabled. */
  function showLengthError({ key, target }: KeyboardEvent) {
    if (key !== 'Enter' || !(target instanceof HTMLInputElement) || pin.length === digits) return
    if (isLong) setError(words.longPinLength)
    else setError(pin === '' ? words.pinMissing : words.pinLength)
  }

  function toggleLength() {
    setLongChosen(!isLong)
    setPin(pin.slice(0, 6))
    setError(null)
  }

  return (
    <form noValidate onSubmit={submit} onKeyDown={showLengthError} className="flex flex-col gap-4">
      <PinField
        label={words.pin}
        digits={digits}
        maxDigits={8}
        value={pin}
        error={error}
        onChange={(typed) => {
          setPin(typed)
          setError(null)
        }}
      />
      <Button type="submit" variant="primary" size="large" fullWidth disabled={pin.length < digits}>
        {words.join}
      </Button>
      <Button variant="quiet" size="compact" className="-my-1 self-center" onClick={toggleLength}>
        {isLong ? words.shortPin : words.longPin}
      </Button>
    </form>
  )
}
