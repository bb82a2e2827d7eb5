import type { PortalOptions as Options } from '@sallyport/client/portal/pairing/room-code'
import { type ReactNode, useRef } from 'react'
import { FilePicker } from '#/components/file-input/file-picker.tsx'
import { Button } from '#/components/ui/button.tsx'
import { Card, CardHeading } from '#/components/ui/card.tsx'
import { portalScreenStrings } from '#/strings/portals/portal.ts'
import { portalAccessStrings } from '#/strings/portals/portal-access.ts'
import { Gateway } from './gateway.tsx'
import { PortalOptions } from './pairing/portal-options.tsx'

interface PortalMenuProps {
  readonly options: Options
  readonly onOptions: (options: Options) => void
  readonly onCreate: () => void
  /** Called with files that are chosen before a portal is created. */
  readonly onFiles: (files: readonly File[]) => void
  /** The ways to join. */
  readonly children: ReactNode
}

/** Offers to create a portal, also for files that are chosen first, or to join one. */
export function PortalMenu({ options, onOptions, onCreate, onFiles, children }: PortalMenuProps) {
  const picker = useRef<HTMLInputElement>(null)
  return (
    <div className="grid gap-5 md:grid-cols-2">
      <Card className="flex flex-col gap-4" aria-labelledby="portal-create">
        <CardHeading title={portalAccessStrings.createTitle} id="portal-create" />
        <p className="-mt-2 text-sm text-ink-2">{portalScreenStrings.createHint}</p>
        <Gateway local="shut" remote="shut" />
        <PortalOptions options={options} onChange={onOptions} />
        <div className="mt-auto grid gap-2.5">
          <Button variant="primary" size="large" fullWidth onClick={onCreate}>
            {portalAccessStrings.createTitle}
          </Button>
          <FilePicker ref={picker} label={portalScreenStrings.chooseFirst} onFiles={onFiles} className="hidden" />
          <Button fullWidth onClick={() => picker.current?.click()}>
            {portalScreenStrings.chooseFirst}
          </Button>
        </div>
      </Card>
      <Card className="flex flex-col gap-4" aria-labelledby="portal-join">
        <CardHeading title={portalScreenStrings.joinTitle} id="portal-join" />
        <p className="-mt-2 text-sm text-ink-2">{portalScreenStrings.joinHint}</p>
        {children}
      </Card>
    </div>
  )
}
