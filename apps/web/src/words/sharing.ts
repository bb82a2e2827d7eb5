export const shareWords = {
  mayHaveExpired: 'The file may have expired or the link is invalid.',
  keyMissing:
    'This share link requires an encryption key. Please ensure you have the complete share URL including the part after #',
  invalid: 'Invalid share link',
  usedUp: 'This link has been used up and can’t be opened again.',
  keyStaysHere: 'The key is the part of the link after\u00a0#. It never reached the server.',
  keyTravelled:
    'The key is the part of the link after\u00a0#. In this link the # was written as %23, so it did reach the server.',
} as const
