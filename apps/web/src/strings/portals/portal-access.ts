import { area } from '../area.ts'

/** The strings for joining a portal. They are a separate module because the landing page loads them too. */
export const portalAccessStrings = area('portalAccess', {
  access: 'Portal Access',
  lead: 'Send files straight to another device, without an account.',
  createTitle: 'Create Portal',
  pin: 'Portal code',
  join: 'Join',
  scan: 'Scan QR',
  pinMissing: 'Please enter a 6-digit PIN',
  pinLength: 'PIN must be exactly 6 digits',
  longPin: 'My code has 8 digits',
  longPinLength: 'Code must be exactly 8 digits',
  shortPin: 'My code has 6 digits',
})
