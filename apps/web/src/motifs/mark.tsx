import { classNames } from '#/ui/class-names.ts'

interface MarkProps {
  /** Side in pixels. */
  readonly size?: number
  readonly className?: string
}

/** A gate within a gate, on a ground line. */
function Mark({ size = 24, className }: MarkProps) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      width={size}
      height={size}
      className={classNames('shrink-0', className)}
    >
      <path fill="none" stroke="currentColor" strokeWidth="1.9" d="M3.6 21.4V11.1a8.4 8.4 0 0 1 16.8 0v10.3" />
      <path className="fill-seal-fill" d="M7.9 21.4v-8.3a4.1 4.1 0 0 1 8.2 0v8.3z" />
      <path stroke="currentColor" strokeWidth="1.9" d="M1 21.6h22" />
    </svg>
  )
}

interface BrandProps {
  readonly className?: string
}

/** Mark and name; wrap it in the link to the start page. */
export function Brand({ className }: BrandProps) {
  return (
    <span className={classNames('inline-flex items-center gap-2.5', className)}>
      <Mark size={24} />
      <span className="heading text-xl tracking-[-0.01em]">Sallyport</span>
    </span>
  )
}
