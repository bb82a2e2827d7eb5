import { Check } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '../class-names.ts'

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'size'> {
  readonly label: ReactNode
  /** An explanation below the label, which is then emphasized. */
  readonly hint?: ReactNode
}

/** A styled native checkbox; the whole line is clickable. */
export function Checkbox({ label, hint, className, ...rest }: CheckboxProps) {
  return (
    <label
      className={classNames(
        'group flex min-h-6 cursor-pointer items-start gap-2.5 py-0.5 text-xs text-ink has-disabled:cursor-default has-disabled:text-ink-3 pointer-coarse:min-h-11 pointer-coarse:items-center',
        className,
      )}
    >
      <span className="relative grid size-5 shrink-0 place-items-center">
        <input
          {...rest}
          type="checkbox"
          className="peer size-5 cursor-[inherit] appearance-none rounded-[5px] border border-line-strong bg-surface transition-colors duration-90 checked:border-primary checked:bg-primary group-hover:enabled:not-checked:border-ink-2 disabled:border-line disabled:bg-sunken disabled:checked:bg-sunken forced-colors:appearance-auto"
        />
        <Check
          aria-hidden
          size={14}
          strokeWidth={2.75}
          className="pointer-events-none absolute text-on-primary opacity-0 peer-checked:opacity-100 peer-disabled:text-ink-3 forced-colors:hidden"
        />
      </span>
      <span className="pt-px leading-[1.125rem]">
        {hint === undefined ? (
          label
        ) : (
          <>
            <span className="block font-semibold">{label}</span>
            <span className="block text-ink-2">{hint}</span>
          </>
        )}
      </span>
    </label>
  )
}
