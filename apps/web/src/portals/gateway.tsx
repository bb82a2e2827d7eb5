import { type CSSProperties, useEffect, useState } from 'react'
import { portalWords } from '#/words/portal.ts'

interface GatewayProps {
  readonly state: 'shut' | 'ajar' | 'open'
  /** Which way bytes move just now. */
  readonly flow?: 'out' | 'in' | null
}

/** Two gates on one ground line: shut while nobody is there, open once the other device has come. */
export function Gateway({ state, flow = null }: GatewayProps) {
  const step = useStep(flow !== null)
  return (
    <figure className="mx-auto w-full max-w-[22rem]">
      <svg className="gateway" viewBox="0 0 320 132" data-state={state} data-flow={flow ?? undefined} aria-hidden>
        <Arch x={20} />
        <Arch x={212} />
        <path className="gateway-way" style={{ '--step': step } as CSSProperties} d="M122 92H198" />
        <path d="M4 126H316" stroke="var(--line-strong)" strokeWidth="2" />
      </svg>
      <figcaption className="mt-1 grid grid-cols-2 text-center text-xs text-ink-2">
        <span className="pe-8">{portalWords.thisDevice}</span>
        <span className="ps-8">{portalWords.otherDevice}</span>
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

function Arch({ x }: { readonly x: number }) {
  return (
    <g transform={`translate(${x} 0)`}>
      <path className="gateway-frame" d="M2 126V46a42 42 0 0 1 84 0v80z" />
      <path className="gateway-door" d="M12 126V48a32 32 0 0 1 32 -32V126z" />
      <path className="gateway-door" data-hinge="right" d="M44 126V16a32 32 0 0 1 32 32V126z" />
    </g>
  )
}
