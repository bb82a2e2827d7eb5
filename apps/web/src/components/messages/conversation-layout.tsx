import { ArrowDown } from 'lucide-react'
import { type ReactNode, type RefObject, useMemo, useRef } from 'react'
import { Button } from '#/components/ui/button.tsx'
import { useHeightVariable } from '#/components/ui/hooks/use-height-variable.ts'
import { useIsPhone } from '#/components/ui/hooks/use-is-phone.ts'
import { RetryBanner } from '#/components/ui/retry-banner.tsx'
import { chatStrings } from '#/strings/chat.ts'
import { DesktopComposer } from './composer/desktop-composer.tsx'
import { PhoneComposer } from './composer/phone-composer.tsx'
import type { MessageActions } from './list/message-card.tsx'
import { MessageList, type MessageListStrings } from './list/message-list.tsx'
import { OlderMessages } from './list/older-messages.tsx'
import { useScrollAnchor } from './list/use-scroll-anchor.ts'
import { useStayAtEnd } from './list/use-stay-at-end.ts'
import type { ShownConversation } from './use-conversation.ts'

interface ConversationStrings extends MessageListStrings {
  readonly placeholder: string
  readonly fetchFailed: string
}

interface DesktopConversationProps extends MessageActions {
  readonly conversation: ShownConversation
  readonly strings: ConversationStrings
}

/** Shows the newest message at the top, next to the composer. */
export function DesktopConversation({ conversation, strings, ...actions }: DesktopConversationProps) {
  const { rows, isAllDecrypted, isFailed, retry, composer, errors, pages } = conversation
  const newestFirst = useMemo(() => rows?.toReversed() ?? null, [rows])
  return (
    <>
      <DesktopComposer composer={composer} errors={errors} placeholder={strings.placeholder} />
      {isFailed ? (
        <FetchErrorBanner strings={strings} retry={retry} />
      ) : (
        <div>
          <MessageList strings={strings} rows={newestFirst} {...actions} />
          <OlderMessages pages={pages} isReady={isAllDecrypted} />
        </div>
      )}
    </>
  )
}

interface BottomConversationProps extends DesktopConversationProps {
  /** Shown above the list, which it can move the focus to. */
  readonly header?: (list: RefObject<HTMLElement | null>) => ReactNode
  readonly className: string
}

/** Shows the newest message at the bottom, next to the composer. */
export function BottomConversation({ conversation, strings, header, className, ...actions }: BottomConversationProps) {
  const { rows, isAllDecrypted, isFailed, retry, composer, errors, pages } = conversation
  const isPhone = useIsPhone()
  const Composer = isPhone ? PhoneComposer : DesktopComposer
  const { list, hasNewMessages, scrollToEnd } = useStayAtEnd(rows)
  const composerRef = useRef<HTMLDivElement>(null)
  // Overlays at the bottom, such as toasts, are placed above the composer by this variable.
  useHeightVariable(composerRef, '--composer')
  useScrollAnchor(list, rows?.[0]?.key)
  return (
    <>
      {header?.(list)}
      <div ref={list} tabIndex={-1} className={`flex flex-1 flex-col justify-end outline-none ${className}`}>
        {isFailed ? (
          <FetchErrorBanner strings={strings} retry={retry} />
        ) : (
          <>
            <OlderMessages pages={pages} isReady={isAllDecrypted} />
            <MessageList strings={strings} rows={rows} {...actions} />
          </>
        )}
      </div>
      <div ref={composerRef} className="bottom-composer">
        {hasNewMessages ? <NewMessagesButton onClick={scrollToEnd} /> : null}
        <Composer composer={composer} errors={errors} placeholder={strings.placeholder} />
      </div>
    </>
  )
}

/** Scrolls to messages that have arrived below what the user reads. */
function NewMessagesButton({ onClick }: { readonly onClick: () => void }) {
  return (
    <div className="new-messages absolute inset-x-0 flex justify-center">
      <Button
        size="compact"
        variant="primary"
        icon={<ArrowDown aria-hidden size={16} strokeWidth={1.75} />}
        onClick={onClick}
      >
        {chatStrings.newMessages}
      </Button>
    </div>
  )
}

interface FetchErrorBannerProps extends Pick<ShownConversation, 'retry'> {
  readonly strings: ConversationStrings
}

/** Shown instead of a list that could not be fetched. */
function FetchErrorBanner({ strings, retry }: FetchErrorBannerProps) {
  return <RetryBanner onRetry={retry}>{strings.fetchFailed}</RetryBanner>
}
