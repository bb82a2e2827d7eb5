import { ignore } from '@sallyport/contract/ignore'

/** Whether the browser has not asked for notification permission yet; it remembers the answer. */
export const canRequestNotifications = (): boolean => 'Notification' in window && Notification.permission === 'default'

/** Requests notification permission. Must be called from a user gesture. */
export const requestNotifications = (): Promise<NotificationPermission> => Notification.requestPermission()

/**
 * Shows a system notification where permission is granted. Clicking it focuses this page. It replaces an earlier one
 * with the same tag.
 */
export function notify(text: string, tag: string): void {
  if (!('Notification' in window) || Notification.permission !== 'granted') return
  try {
    const notification = new Notification(text, { tag })
    notification.onclick = () => {
      window.focus()
      notification.close()
    }
  } catch (error) {
    // The page title changes too.
    ignore(error, 'mobile browsers require a service worker for notifications')
  }
}
