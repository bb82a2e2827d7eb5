import { classNames } from './class-names.ts'
import { controlClass, Field } from './field.tsx'

interface PinFieldProps {
  readonly label: string
  readonly value: string
  /** Given digits only, `maxDigits` of them at most, whatever was typed or pasted. */
  readonly onChange: (digits: string) => void
  readonly digits?: 6 | 8
  /** How many digits are taken at most; `digits`, unless a longer PIN may be entered in the same box. */
  readonly maxDigits?: 8
  readonly error?: string | null
  readonly hint?: string
  readonly hideLabel?: boolean
  readonly disabled?: boolean
  readonly className?: string
}

/** One box for a PIN of six digits, or of eight, so that it can be pasted, filled in and read out as a whole. */
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
    <Field label={label} hint={hint} error={error} hideLabel={hideLabel} className={className}>
      {(control) => (
        <input
          {...control}
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          placeholder={'12345678'.slice(0, digits)}
          dir="ltr"
          disabled={disabled}
          value={value}
          onChange={(event) => onChange(event.target.value.replace(/\D/g, '').slice(0, maxDigits ?? digits))}
          className={classNames(controlClass, 'pin-field')}
        />
      )}
    </Field>
  )
}
