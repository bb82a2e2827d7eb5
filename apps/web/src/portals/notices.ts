/** Whether the person has not been asked yet; browsers keep the answer. */
export const canAskForNotices = (): boolean => 'Notification' in window && Notification.permission === 'default'

/** Has the browser ask. Has to be called in the midst of a press. */
export const askForNotices = (): Promise<NotificationPermission> => Notification.requestPermission()

/** Tells something by way of the system, where the person has allowed it. A press on it leads back to this page. */
export function notify(text: string): void {
  if (!('Notification' in window) || Notification.permission !== 'granted') return
  try {
    const notice = new Notification(text, { tag: 'portal' })
    notice.onclick = () => {
      window.focus()
      notice.close()
    }
  } catch {
    // Phones have no notices without a service worker; the title has changed there too.
  }
}
