import { useMemo } from 'react'
import { encode } from 'uqr'

interface QrCodeProps {
  readonly text: string
  /** Accessible name. */
  readonly label: string
  readonly className?: string
}

const size = 200
const quietCells = 2

/** A QR code. Black on white in both themes, as scanners expect. */
export function QrCode({ text, label, className }: QrCodeProps) {
  const { cells, path } = useMemo(() => createPath(text), [text])
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${cells} ${cells}`}
      width={size}
      height={size}
      shapeRendering="crispEdges"
      className={`qr-code ${className ?? ''}`}
    >
      <rect width={cells} height={cells} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

/** Returns a path with one square per dark module. */
function createPath(text: string): { readonly cells: number; readonly path: string } {
  const { data, size: cells } = encode(text, { ecc: 'M', border: quietCells })
  const squares = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
  return { cells, path: squares.join('') }
}
