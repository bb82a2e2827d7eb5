import { type CSSProperties, useEffect, useId, useState } from 'react'
import { portalWords } from '#/words/portal.ts'

type Doors = 'shut' | 'ajar' | 'open'

interface GatewayProps {
  /** The doors of this device, and those of the other one. */
  readonly here: Doors
  readonly there: Doors
  /** Which way bytes move just now. */
  readonly flow?: 'out' | 'in' | null
  /** What is known of the two devices, beneath their gates. */
  readonly hereNote?: string
  readonly thereNote?: string
}

/** Two gates on one ground line: shut while nobody is there, open once the other device has come. */
export function Gateway({ here, there, flow = null, hereNote, thereNote }: GatewayProps) {
  const step = useStep(flow !== null)
  return (
    <figure className="gateway-figure">
      <svg className="gateway" viewBox="0 0 500 202" data-flow={flow ?? undefined} aria-hidden>
        <Arch x={28} doors={here} />
        <Arch x={328} doors={there} />
        <path
          className="gateway-way"
          style={{ '--step': step } as CSSProperties}
          data-open={here === 'open' && there === 'open' ? true : undefined}
          d="M192 150H308"
        />
        <path className="gateway-ground" d="M2 200H498" />
      </svg>
      <figcaption className="gateway-names">
        <Name name={portalWords.thisDevice} note={hereNote} />
        <Name name={portalWords.otherDevice} note={thereNote} />
      </figcaption>
    </figure>
  )
}

const stepMs = 250
/** After so many the beads lie as they did. */
const steps = 4

/** An animation is drawn sixty times a second, which would take as long as carrying the bytes that it tells of. */
function useStep(isMoving: boolean): number {
  const [step, setStep] = useState(0)
  useEffect(() => {
    if (!isMoving) return
    const timer = setInterval(() => setStep((last) => (last + 1) % steps), stepMs)
    return () => clearInterval(timer)
  }, [isMoving])
  return step
}

function Name({ name, note }: { readonly name: string; readonly note: string | undefined }) {
  return (
    <span className="grid min-w-0">
      <span className="font-semibold">{name}</span>
      {note ? <bdi className="truncate text-ink-2">{note}</bdi> : null}
    </span>
  )
}

const openingPath = 'M21 200V76a51 51 0 0 1 102 0v124z'

function Arch({ x, doors }: { readonly x: number; readonly doors: Doors }) {
  const opening = useId()
  return (
    <g transform={`translate(${x} 0)`} data-doors={doors}>
      <clipPath id={opening}>
        <path d={openingPath} />
      </clipPath>
      <path className="gateway-opening" d={openingPath} />
      <g clipPath={`url(#${opening})`}>
        <path className="gateway-door" d="M21 25h51v175h-51z" />
        <path className="gateway-door" data-hinge="right" d="M72 25h51v175h-51z" />
        <path className="gateway-gap" d="M72 25V200" />
        <circle className="gateway-knob" cx="64" cy="122" r="3.2" />
        <circle className="gateway-knob" cx="80" cy="122" r="3.2" />
      </g>
      <path className="gateway-frame" d="M1.5 200V74a70.5 70.5 0 0 1 141 0v126" />
    </g>
  )
}
