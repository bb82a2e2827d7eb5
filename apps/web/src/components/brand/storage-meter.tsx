import { type CSSProperties, useId } from 'react'
import { Card } from '#/components/ui/card.tsx'
import { classNames } from '#/components/ui/class-names.ts'
import { fileStrings } from '#/strings/files.ts'

/** Above this share the meter warns that space is running out. */
const nearlyFullFrom = 0.8

interface StorageMeterProps {
  readonly usedBytes: number
  readonly totalBytes: number
  /** The usage as text, such as "1.70 GB of 50 GB". */
  readonly text: string
  /** Null where there are no plans. */
  readonly planName: string | null
}

export function StorageMeter({ usedBytes, totalBytes, text, planName }: StorageMeterProps) {
  const titleId = useId()
  const share = totalBytes > 0 ? Math.min(1, usedBytes / totalBytes) : 0
  const isNearlyFull = share > nearlyFullFrom

  return (
    <Card aria-labelledby={titleId}>
      <div className="flex items-baseline justify-between gap-4">
        <h2 id={titleId} className="heading text-base">
          {fileStrings.storage}
        </h2>
        <span className="text-xs text-ink-2">{planName}</span>
      </div>
      <meter className="sr-only" aria-labelledby={titleId} min={0} max={1} value={share}>
        {text}
      </meter>
      <div aria-hidden className="mt-2.5 h-2 overflow-hidden rounded-full bg-sunken forced-colors:border">
        <div
          style={{ '--share': share } as CSSProperties}
          className={classNames(
            'h-full w-[max(calc(var(--share)*100%),var(--least))] rounded-full transition-[width] duration-220 forced-colors:bg-[CanvasText]',
            usedBytes > 0 ? '[--least:8px]' : '[--least:0px]',
            isNearlyFull ? 'bg-rust' : 'bg-ink',
          )}
        />
      </div>
      <p className="mt-2 text-ink-2">
        <span className="num">{text}</span>
      </p>
      {isNearlyFull ? (
        <p className="mt-1 text-xs font-medium text-rust">
          {usedBytes > totalBytes ? fileStrings.storageOver : null}
          {usedBytes === totalBytes ? fileStrings.storageFull : null}
          {usedBytes < totalBytes ? fileStrings.storageNearlyFull : null}
        </p>
      ) : null}
    </Card>
  )
}
