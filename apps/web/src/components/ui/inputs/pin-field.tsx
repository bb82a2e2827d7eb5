import { classNames } from '../class-names.ts'
import { controlClass, Field } from './field.tsx'
import { plainDigits } from './plain-digits.ts'

interface PinFieldProps {
  readonly label: string
  readonly value: string
  /** Called with digits only, at most `maxDigits`, whatever was typed or pasted. */
  readonly onChange: (digits: string) => void
  readonly digits?: 6 | 8
  /** Maximum number of digits; defaults to `digits`. Set it if a longer PIN is accepted as well. */
  readonly maxDigits?: 8
  readonly error?: string | null
  readonly hint?: string
  readonly hideLabel?: boolean
  readonly disabled?: boolean
  readonly className?: string
}

/** A single input for a PIN of 6 or 8 digits, so that it can be pasted, autofilled and read out as a whole. */
export function PinField({
  label,
  value,
  onChange,
  digits = 6,
  maxDigits,
  error,
  hint,
  hideLabel = false,
  disabled = false,
  className,
}: PinFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} hideLabel={hideLabel} fieldClassName={className}>
      {(control) => (
        <input
          {...control}
          type="text"
          inputMode="numeric"
          // Not `one-time-code`: password managers would fill in the code of a second factor.
          autoComplete="off"
          placeholder={'12345678'.slice(0, digits)}
          dir="ltr"
          disabled={disabled}
          value={value}
          onChange={(event) => onChange(plainDigits(event.target.value).slice(0, maxDigits ?? digits))}
          className={classNames(controlClass, 'pin-field')}
        />
      )}
    </Field>
  )
}
