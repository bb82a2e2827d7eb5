import { passwordLimits } from '@sallyport/contract/limits'
import { classNames } from '#/components/ui/class-names.ts'
import { PasswordField, type PasswordFieldProps } from '#/components/ui/inputs/password-field.tsx'
import { passwordStrings } from '#/strings/account/passwords.ts'
import { PasswordStrength } from './password-strength.tsx'

type NewPasswordFieldProps = Omit<PasswordFieldProps, 'autoComplete' | 'hint' | 'value'> & { readonly value: string }

/** Asks for a new password and shows its strength. */
export function NewPasswordField({
  userInputs,
  ...field
}: NewPasswordFieldProps & { readonly userInputs: readonly string[] }) {
  return (
    <PasswordField
      {...field}
      autoComplete="new-password"
      hint={<PasswordStrength password={field.value} userInputs={userInputs} />}
    />
  )
}

/** Asks for the new password again. A mismatch while typing is not an error, so the hint is neutral. */
export function ConfirmationField({ password, ...field }: NewPasswordFieldProps & { readonly password: string }) {
  const matchHint = password === field.value ? passwordStrings.matches : passwordStrings.noMatchYet
  return (
    <PasswordField
      {...field}
      name="confirmation"
      autoComplete="new-password"
      hint={
        // Its height is reserved once the user types, so that nothing moves between two keys.
        <span
          role="status"
          className={classNames('block', field.value === '' || field.error ? 'empty:hidden' : 'min-h-4.5')}
        >
          {field.value === '' || field.error ? null : matchHint}
        </span>
      }
    />
  )
}

/** Returns the message for a password that is too short, or null. */
export const tooShortMessage = (password: string): string | null =>
  [...password].length < passwordLimits.minCharacters ? passwordStrings.tooShort : null
