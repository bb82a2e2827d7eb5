import { type PointerEvent, useRef, useState } from 'react'

interface Point {
  readonly x: number
  readonly y: number
}

interface View extends Point {
  readonly scale: number
}

interface GestureOptions {
  /** Called on a swipe down. */
  readonly onClose: () => void
  /** Called on a horizontal swipe: 1 for the next file, -1 for the previous one. */
  readonly onNavigate: (step: 1 | -1) => void
}

const initialView: View = { x: 0, y: 0, scale: 1 }
const closeThresholdPx = 90
const navigateThresholdPx = 70
const maxScale = 6
const doubleClickScale = 2.5

/** Pan, zoom and swipe gestures of a preview: two fingers zoom, one finger pans a zoomed view and swipes otherwise. */
export function useGestures({ onClose, onNavigate }: GestureOptions) {
  const [view, showView] = useState(initialView)
  /** A finger may be lifted before its last move is rendered. */
  const latestView = useRef(initialView)
  const [isMoving, setMoving] = useState(false)
  const pointers = useRef(new Map<number, Point>())

  function setView(next: View): void {
    latestView.current = next
    showView(next)
  }

  function handleDown(event: PointerEvent): void {
    if (event.pointerType === 'mouse' && latestView.current.scale === 1) return
    pointers.current.set(event.pointerId, pointOf(event))
    event.currentTarget.setPointerCapture(event.pointerId)
    setMoving(true)
  }

  function handleMove(event: PointerEvent): void {
    const before = [...pointers.current.values()]
    if (!pointers.current.has(event.pointerId)) return
    const from = pointers.current.get(event.pointerId) ?? pointOf(event)
    pointers.current.set(event.pointerId, pointOf(event))
    const after = [...pointers.current.values()]
    const { x, y, scale } = latestView.current
    const spread = distance(after) / distance(before)
    const share = 1 / after.length
    setView({
      x: x + (event.clientX - from.x) * share,
      y: y + (event.clientY - from.y) * share,
      scale: after.length > 1 ? clampScale(scale * spread) : scale,
    })
  }

  function handleUp(event: PointerEvent): void {
    if (!pointers.current.delete(event.pointerId) || pointers.current.size > 0) return
    setMoving(false)
    const { x, y, scale } = latestView.current
    if (scale > 1) return
    setView(initialView)
    if (event.type === 'pointercancel') return
    if (y > closeThresholdPx && y > Math.abs(x)) onClose()
    else if (Math.abs(x) > navigateThresholdPx) onNavigate(x < 0 ? 1 : -1)
  }

  const zoom = (scale: number) =>
    setView(scale <= 1 ? initialView : { ...latestView.current, scale: clampScale(scale) })

  return {
    view,
    isMoving,
    zoomBy: (factor: number) => zoom(view.scale * factor),
    handlers: {
      onPointerDown: handleDown,
      onPointerMove: handleMove,
      onPointerUp: handleUp,
      onPointerCancel: handleUp,
      onDoubleClick: () => zoom(view.scale > 1 ? 1 : doubleClickScale),
    },
  }
}

const pointOf = ({ clientX, clientY }: PointerEvent): Point => ({ x: clientX, y: clientY })
const clampScale = (scale: number): number => Math.min(maxScale, Math.max(1, scale))

/** The distance between the first two fingers; 1 while there is only one, which does not zoom. */
function distance([one, other]: readonly Point[]): number {
  return one && other ? Math.max(1, Math.hypot(one.x - other.x, one.y - other.y)) : 1
}
