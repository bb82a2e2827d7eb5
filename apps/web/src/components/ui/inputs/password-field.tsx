import { useState } from 'react'
import { controlStrings } from '#/strings/controls.ts'
import { classNames } from '../class-names.ts'
import { controlClass, Field, splitFieldProps } from './field.tsx'
import type { TextFieldProps } from './text-field.tsx'

export interface PasswordFieldProps extends Omit<TextFieldProps, 'type' | 'autoComplete' | 'label'> {
  readonly label?: string
  /** Whether password managers fill in the password, as they do by default, or suggest a new one. */
  readonly autoComplete?: 'current-password' | 'new-password'
}

/** A password input with a Show button. Pasting and password managers work. */
export function PasswordField({ label = controlStrings.password, ...props }: PasswordFieldProps) {
  const { field, control: input } = splitFieldProps({ label, ...props })
  const [isShown, setShown] = useState(false)

  return (
    <Field {...field}>
      {(control) => (
        <span className="relative block">
          <input
            name="password"
            autoComplete="current-password"
            {...input}
            {...control}
            type={isShown ? 'text' : 'password'}
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            className={classNames(controlClass, 'pe-16', input.className)}
          />
          <button
            type="button"
            aria-label={isShown ? controlStrings.hidePassword : controlStrings.showPassword}
            disabled={input.disabled}
            onClick={() => setShown(!isShown)}
            className="absolute inset-y-1 end-1 rounded-segment px-2.5 text-xs text-ink-2 hover:text-ink focus-visible:outline-offset-0 disabled:text-ink-3"
          >
            {isShown ? controlStrings.hide : controlStrings.show}
          </button>
        </span>
      )}
    </Field>
  )
}

/** A hidden field by which password managers find the entry of the user. */
export const HiddenUsername = ({ name }: { readonly name: string }) => (
  <input type="email" name="email" autoComplete="username" value={name} readOnly hidden />
)
