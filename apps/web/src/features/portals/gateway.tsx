import { type CSSProperties, useEffect, useId, useState } from 'react'
import { Name as DeviceName } from '#/components/names/name.tsx'
import { portalScreenStrings } from '#/strings/portals/portal.ts'

type GateState = 'shut' | 'ajar' | 'open'

interface GatewayProps {
  /** The state of the gate of this device, and of the other device's gate. */
  readonly local: GateState
  readonly remote: GateState
  /** The direction in which bytes currently move. */
  readonly flow?: 'out' | 'in' | null
  /** Notes about the two devices below their gates. */
  readonly localNote?: string
  readonly remoteNote?: string
}

/** An illustration of two gates: closed while the other device is absent, open once it has joined. */
export function Gateway({ local, remote, flow = null, localNote, remoteNote }: GatewayProps) {
  const step = useStep(flow !== null)
  return (
    <figure className="gateway-figure">
      <svg className="gateway" viewBox="0 0 500 202" data-flow={flow ?? undefined} aria-hidden>
        <Arch x={28} doors={local} />
        <Arch x={328} doors={remote} />
        <path
          className="gateway-way"
          style={{ '--step': step } as CSSProperties}
          data-open={local === 'open' && remote === 'open' ? true : undefined}
          d="M192 150H308"
        />
        <path className="gateway-ground" d="M2 200H498" />
      </svg>
      <figcaption className="gateway-names">
        <Name name={portalScreenStrings.thisDevice} note={localNote} />
        <Name name={portalScreenStrings.otherDevice} note={remoteNote} />
      </figcaption>
    </figure>
  )
}

const stepMs = 250
/** The animation repeats after this many steps. */
const stepCount = 4

/**
 * Advances the animation in steps, because a continuous animation at 60 frames per second costs as much CPU as the
 * transfer it depicts.
 */
function useStep(isMoving: boolean): number {
  const [step, setStep] = useState(0)
  useEffect(() => {
    if (!isMoving) return
    const timer = setInterval(() => setStep((last) => (last + 1) % stepCount), stepMs)
    return () => clearInterval(timer)
  }, [isMoving])
  return step
}

function Name({ name, note }: { readonly name: string; readonly note: string | undefined }) {
  return (
    <span className="grid min-w-0">
      <span className="font-semibold">{name}</span>
      {note ? <DeviceName className="truncate text-ink-2">{note}</DeviceName> : null}
    </span>
  )
}

const openingPath = 'M21 200V76a51 51 0 0 1 102 0v124z'

function Arch({ x, doors: state }: { readonly x: number; readonly doors: GateState }) {
  const clipId = useId()
  return (
    <g transform={`translate(${x} 0)`} data-doors={state}>
      <clipPath id={clipId}>
        <path d={openingPath} />
      </clipPath>
      <path className="gateway-opening" d={openingPath} />
      <g clipPath={`url(#${clipId})`}>
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
