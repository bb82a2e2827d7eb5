const longestName = 60

/** The question before a device is connected that cannot prove the code. */
export const unverifiedWords = {
  title: 'Connect to an unverified device?',
  /** Nobody has proved this name: it is shown in quotes and kept short. */
  name: (name: string) => (name.trim() === '' ? 'A device without a name' : `“${name.slice(0, longestName)}”`),
  byCreator: 'entered your code, but can’t prove that it is the device you expect.',
  byCreatorHint: 'This server could read what you send. Allow it only if someone you know is joining right now.',
  byJoiner: 'This server says that the other device can’t prove its code.',
  byJoinerHint:
    'If that device shows Sallyport too, decline: someone may be listening. Otherwise, this server could read what you send.',
  byAddress: 'This code was part of a web address, so this server may know it.',
  byAddressHint:
    'If you opened a link or a QR code of Sallyport, decline: it’s incomplete, so ask for the whole link. Otherwise, compare the pictures on both devices before you send anything.',
  allow: 'Allow',
  decline: 'Decline',
} as const
