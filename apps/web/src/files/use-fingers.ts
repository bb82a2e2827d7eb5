import { type PointerEvent, useRef, useState } from 'react'

interface Point {
  readonly x: number
  readonly y: number
}

interface View extends Point {
  readonly scale: number
}

interface FingersProps {
  /** Swiped down. */
  readonly onClose: () => void
  /** Swiped sideways: 1 for the next one, -1 for the one before. */
  readonly onTurn: (step: 1 | -1) => void
}

const whole: View = { x: 0, y: 0, scale: 1 }
const closeAfterPixels = 90
const turnAfterPixels = 70
const largestScale = 6
const pressScale = 2.5

/** Follows fingers and the mouse over a picture: two spread it, one moves what is spread and swipes what is not. */
export function useFingers({ onClose, onTurn }: FingersProps) {
  const [view, setView] = useState(whole)
  const [isMoving, setMoving] = useState(false)
  const fingers = useRef(new Map<number, Point>())

  function put(event: PointerEvent): void {
    if (event.pointerType === 'mouse' && view.scale === 1) return
    fingers.current.set(event.pointerId, pointOf(event))
    event.currentTarget.setPointerCapture(event.pointerId)
    setMoving(true)
  }

  function move(event: PointerEvent): void {
    const before = [...fingers.current.values()]
    if (!fingers.current.has(event.pointerId)) return
    const from = fingers.current.get(event.pointerId) ?? pointOf(event)
    fingers.current.set(event.pointerId, pointOf(event))
    const after = [...fingers.current.values()]
    setView((shown) => {
      const spread = distance(after) / distance(before)
      const scale = after.length > 1 ? within(shown.scale * spread) : shown.scale
      const share = 1 / after.length
      return {
        x: shown.x + (event.clientX - from.x) * share,
        y: shown.y + (event.clientY - from.y) * share,
        scale,
      }
    })
  }

  function lift(event: PointerEvent): void {
    if (!fingers.current.delete(event.pointerId) || fingers.current.size > 0) return
    setMoving(false)
    if (view.scale > 1) return
    setView(whole)
    if (event.type === 'pointercancel') return
    if (view.y > closeAfterPixels && view.y > Math.abs(view.x)) onClose()
    else if (Math.abs(view.x) > turnAfterPixels) onTurn(view.x < 0 ? 1 : -1)
  }

  const zoom = (scale: number) => setView(scale <= 1 ? whole : { ...view, scale: within(scale) })

  return {
    view,
    isMoving,
    zoomBy: (factor: number) => zoom(view.scale * factor),
    handlers: {
      onPointerDown: put,
      onPointerMove: move,
      onPointerUp: lift,
      onPointerCancel: lift,
      onDoubleClick: () => zoom(view.scale > 1 ? 1 : pressScale),
    },
  }
}

const pointOf = ({ clientX, clientY }: PointerEvent): Point => ({ x: clientX, y: clientY })
const within = (scale: number): number => Math.min(largestScale, Math.max(1, scale))

/** Between the first two fingers; 1 while there is only one, which spreads nothing. */
function distance([one, other]: readonly Point[]): number {
  return one && other ? Math.max(1, Math.hypot(one.x - other.x, one.y - other.y)) : 1
}
