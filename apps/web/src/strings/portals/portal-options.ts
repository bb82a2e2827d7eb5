import { area } from '../area.ts'

export const portalOptionStrings = area('portalOption', {
  title: 'Options',
  verifiedOnly: 'Require verified devices',
  verifiedOnlyHint: 'Refuse devices that can’t verify the connection.',
  linkOnly: 'Link or QR code only',
  linkOnlyHint: 'The digits alone won’t work.',
  relayOnly: 'Relay only',
  relayOnlyHint:
    'Hides your IP address from the other device. Files go through the server, still encrypted, but slower.',
  copyLink: 'Copy Link',
  onlyByLink: 'Only the QR code or the link opens this portal.',
})
