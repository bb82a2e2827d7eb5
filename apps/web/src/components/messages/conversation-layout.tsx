import { type ReactNode, type RefObject, useMemo } from 'react'
import { RetryBanner } from '#/components/ui/retry-banner.tsx'
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

interface PhoneConversationProps extends DesktopConversationProps {
  /** Shown above the list, which it can move the focus to. */
  readonly header?: (list: RefObject<HTMLElement | null>) => ReactNode
  readonly className: string
}

/** Shows the newest message at the bottom, next to the composer. */
export function PhoneConversation({ conversation, strings, header, className, ...actions }: PhoneConversationProps) {
  const { rows, isAllDecrypted, isFailed, retry, composer, errors, pages } = conversation
  const list = useStayAtEnd(rows)
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
      <PhoneComposer composer={composer} errors={errors} placeholder={strings.placeholder} />
    </>
  )
}

interface FetchErrorBannerProps extends Pick<ShownConversation, 'retry'> {
  readonly strings: ConversationStrings
}

/** Shown instead of a list that could not be fetched. */
function FetchErrorBanner({ strings, retry }: FetchErrorBannerProps) {
  return <RetryBanner onRetry={retry}>{strings.fetchFailed}</RetryBanner>
}
