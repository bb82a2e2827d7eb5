import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { SteadyLabel } from './steady-label.tsx'

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger' | 'danger-outline' | 'danger-quiet' | 'done'
export type ButtonSize = 'compact' | 'regular' | 'large'

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'ref'> {
  readonly variant?: ButtonVariant
  readonly size?: ButtonSize
  /** Shown before the label; give icons `aria-hidden`. */
  readonly icon?: ReactNode
  /** While busy the button keeps its width and focus, and ignores clicks. */
  readonly busy?: boolean
  /** Replaces the label while busy; its width is reserved from the start. */
  readonly busyLabel?: string
  readonly fullWidth?: boolean
  readonly ref?: ComponentProps<'button'>['ref']
}

export function Button({
  variant = 'secondary',
  size = 'regular',
  icon,
  busy = false,
  busyLabel,
  fullWidth = false,
  type = 'button',
  className,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  function handleClick(event: MouseEvent<HTMLButtonElement>) {
    if (busy) event.preventDefault()
    else onClick?.(event)
  }

  return (
    <button
      {...rest}
      type={type}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      className={classNames(buttonClass(variant, size), fullWidth && 'w-full', className)}
      onClick={handleClick}
    >
      {icon}
      {busyLabel === undefined ? (
        children
      ) : (
        <SteadyLabel reserve={busy ? textOf(children) : busyLabel}>{busy ? busyLabel : children}</SteadyLabel>
      )}
    </button>
  )
}

/** A button that looks like a link in a text. */
export const TextButton = ({ className, ...rest }: ComponentProps<'button'>) => (
  <button
    {...rest}
    type="button"
    className={classNames(
      'min-h-6 rounded-segment text-xs text-ink-2 underline decoration-1 underline-offset-3 hover:text-ink pointer-coarse:min-h-11',
      className,
    )}
  />
)

/** The classes of a button, for links that look like one. */
export function buttonClass(variant: ButtonVariant = 'secondary', size: ButtonSize = 'regular'): string {
  return classNames(base, sizes[size], variants[variant])
}

function textOf(children: ReactNode): string {
  return typeof children === 'string' ? children : ''
}

const base =
  'inline-flex shrink-0 items-center justify-center gap-2 rounded-control border font-semibold whitespace-nowrap select-none ' +
  'transition-[background-color,border-color,color,transform] duration-90 active:not-aria-disabled:translate-y-px ' +
  'disabled:border-line disabled:bg-sunken disabled:text-ink-3 disabled:shadow-none disabled:active:translate-y-0'

const sizes: Record<ButtonSize, string> = {
  compact: 'h-control-compact min-w-8 px-3 text-xs',
  regular: 'h-control min-w-10 px-4 text-sm',
  large: 'h-control-large min-w-11 px-4.5 text-base',
}

const variants: Record<ButtonVariant, string> = {
  primary:
    'border-primary bg-primary text-on-primary shadow-solid hover:enabled:border-primary-hover hover:enabled:bg-primary-hover',
  secondary: 'border-line bg-surface text-ink shadow-rest hover:enabled:border-line-strong',
  quiet:
    'border-transparent text-ink-2 hover:enabled:bg-sunken hover:enabled:text-ink disabled:border-transparent disabled:bg-transparent',
  danger: 'border-rust bg-rust text-on-rust shadow-solid hover:enabled:border-rust-hover hover:enabled:bg-rust-hover',
  'danger-outline': 'border-line bg-surface text-rust shadow-rest hover:enabled:border-rust',
  'danger-quiet':
    'border-transparent text-ink-2 hover:enabled:bg-rust-soft hover:enabled:text-rust disabled:border-transparent disabled:bg-transparent',
  done: 'border-seal-soft bg-seal-soft text-seal',
}
