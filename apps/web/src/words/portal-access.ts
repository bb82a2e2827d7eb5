/** What the way into a portal says, also on the front page, which loads no more than it shows. */
export const portalAccessWords = {
  access: 'Portal Access',
  createTitle: 'Create Portal',
  pin: 'Portal code',
  join: 'Join',
  pinMissing: 'Please enter a 6-digit PIN',
  pinLength: 'PIN must be exactly 6 digits',
  longPin: 'My code has 8 digits',
  longPinLength: 'This code has exactly 8 digits',
  shortPin: 'My code has 6 digits',
} as const
