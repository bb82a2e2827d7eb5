import { type MouseEvent, useState } from 'react'
import { visibleAddress, visibleText } from '#/components/names/visible-text.ts'
import { ConfirmDialog } from '#/components/ui/overlays/confirm-dialog.tsx'
import { chatStrings } from '#/strings/chat.ts'
import { type MessageLink, splitLinks } from './split-links.ts'

/** A text whose addresses are links. One that may be mistaken for another asks before it is opened. */
export function LinkedText({ text }: { readonly text: string }) {
  const [asked, setAsked] = useState<MessageLink | null>(null)
  const [isOpen, setOpen] = useState(false)

  function ask(event: MouseEvent, link: MessageLink) {
    if (!link.isDeceptive) return
    event.preventDefault()
    setAsked(link)
    setOpen(true)
  }

  return (
    <>
      {splitLinks(text).map(({ text: part, link }, index) =>
        link ? (
          <a
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change their order.
            key={index}
            href={link.href}
            target="_blank"
            rel="noopener noreferrer"
            className="text-seal underline underline-offset-2"
            onClick={(event) => ask(event, link)}
          >
            {visibleAddress(part)}
          </a>
        ) : (
          visibleText(part)
        ),
      )}
      {asked ? (
        <ConfirmDialog
          open={isOpen}
          onOpenChange={setOpen}
          title={chatStrings.openLinkTitle}
          description={chatStrings.openLinkQuestion(asked.host)}
          confirmLabel={chatStrings.openLink}
          onConfirm={() => {
            setOpen(false)
            window.open(asked.href, '_blank', 'noopener,noreferrer')
          }}
        />
      ) : null}
    </>
  )
}
