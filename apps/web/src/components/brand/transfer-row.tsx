import type { ReactNode } from 'react'
import { FileName } from '#/components/files/file-name.tsx'
import { Badge, type Tone } from '#/components/ui/badge.tsx'
import { Seal, type SealState } from './seal.tsx'
import { TransferBar } from './transfer-bar.tsx'

export interface TransferRowProps {
  readonly fileName: string
  readonly seal: SealState
  readonly badge: { readonly text: string; readonly tone: Tone }
  /** Accessible name of the bar, such as "Uploading plan.pdf". */
  readonly label: string
  /** Announced value of the bar, such as "46 percent, about 30 seconds left". */
  readonly valueText: string
  readonly encrypted?: number
  readonly delivered: number
  /** Figures of the transfer; a narrow row shows fewer. */
  readonly figures?: TransferFigureTexts
  /** A sentence instead of figures, such as an error. */
  readonly note?: ReactNode
  /** Buttons: cancel, retry, dismiss. */
  readonly actions?: ReactNode
}

export interface TransferFigureTexts {
  readonly percent?: string
  readonly bytes?: string
  readonly speed?: string
  readonly timeLeft?: string
}

/** One file transfer: seal, name, status, progress bar, figures and actions. */
export function TransferRow(props: TransferRowProps) {
  const { fileName, seal, badge, label, valueText, encrypted = 0, delivered, figures, note, actions } = props
  return (
    <div className="transfer-row-frame">
      <div className="transfer-row" data-note={note === undefined ? undefined : true}>
        <Seal state={seal} encrypted={encrypted} delivered={delivered} size={72} className="transfer-row-seal" />
        <div className="transfer-row-head">
          <FileName className="text-base font-semibold" title={fileName}>
            {fileName}
          </FileName>
          <Badge tone={badge.tone}>{badge.text}</Badge>
        </div>
        <TransferBar
          label={label}
          valueText={valueText}
          encrypted={encrypted}
          delivered={delivered}
          tone={barTone(seal)}
          className="transfer-row-bar"
        />
        <div className="transfer-row-figures">{note ?? <Figures {...figures} />}</div>
        {actions ? <div className="transfer-row-actions">{actions}</div> : null}
      </div>
    </div>
  )
}

function Figures({ percent, bytes, speed, timeLeft }: TransferFigureTexts) {
  return (
    <>
      {percent ? <span className="num">{percent}</span> : null}
      {bytes ? <span className={percent ? 'num transfer-row-more' : 'num'}>{bytes}</span> : null}
      {speed ? <span className="num">{speed}</span> : null}
      {timeLeft ? <span className="transfer-row-more text-xs">{timeLeft}</span> : null}
    </>
  )
}

function barTone(seal: SealState): 'seal' | 'rust' | 'quiet' {
  if (seal === 'failed') return 'rust'
  return seal === 'cancelled' || seal === 'idle' ? 'quiet' : 'seal'
}
