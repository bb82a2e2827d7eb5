export const shareWords = {
  mayHaveExpired: 'The file may have expired or the link is invalid.',
  keyMissing:
    'This share link requires an encryption key. Please ensure you have the complete share URL including the part after #',
  invalid: 'Invalid share link',
  keyStaysHere: 'The key is the part of the link after #. It never reached the server.',
} as const
