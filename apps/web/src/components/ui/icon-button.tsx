import type { ReactNode } from 'react'
import { Button, type ButtonProps } from './button.tsx'
import { classNames } from './class-names.ts'

interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon' | 'busyLabel' | 'fullWidth' | 'aria-label'> {
  /** Accessible name and tooltip. */
  readonly label: string
  readonly icon: ReactNode
}

/** A square button with an icon only. */
export function IconButton({ label, icon, className, variant = 'quiet', ...rest }: IconButtonProps) {
  return (
    <Button
      {...rest}
      variant={variant}
      aria-label={label}
      title={label}
      className={classNames('aspect-square px-0!', className)}
    >
      {icon}
    </Button>
  )
}
