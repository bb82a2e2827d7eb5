import { area } from '../area.ts'

/** Asks before a device that cannot prove the code is connected. */
export const unverifiedDeviceStrings = area('unverifiedDevice', {
  title: 'Connect to an unverified device?',
  /** The name is unverified, so it is quoted. */
  name: (name: string) => `“${name}”`,
  unnamed: 'A device without a name',
  toCreator: 'entered your code, but can’t prove that it is the device you expect.',
  toCreatorHint: 'This server could read what you send. Allow it only if someone you know is joining right now.',
  toJoiner: 'This server says that the other device can’t prove its code.',
  toJoinerHint:
    'If that device shows Sallyport too, decline: someone may be listening. Otherwise, this server could read what you send.',
  codeInAddress: 'This code was part of a web address, so this server may know it.',
  codeInAddressHint:
    'If you opened a link or a QR code of Sallyport, decline: it’s incomplete, so ask for the whole link. Otherwise, compare the pictures on both devices before you send anything.',
  allow: 'Allow',
  decline: 'Decline',
})
