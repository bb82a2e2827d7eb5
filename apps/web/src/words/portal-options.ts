export const portalOptionWords = {
  title: 'Options',
  verifiedOnly: 'Require verified devices',
  verifiedOnlyHint: 'Devices that know only the basic protocol are refused.',
  linkOnly: 'Link or QR code only',
  linkOnlyHint: 'The digits alone open nothing.',
  relayOnly: 'Relay only',
  relayOnlyHint:
    'The other device does not see the address of this one. Files go sealed through the server, and slower.',
  copyLink: 'Copy Link',
  onlyByLink: 'Only the QR code or the link opens this portal.',
} as const
