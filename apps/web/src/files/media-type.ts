/** Pictures made of pixels alone: a drawing of instructions, such as SVG, is never shown. */
const pictures = new Map(
  Object.entries({
    avif: 'image/avif',
    bmp: 'image/bmp',
    gif: 'image/gif',
    heic: 'image/heic',
    heif: 'image/heif',
    jpeg: 'image/jpeg',
    jpg: 'image/jpeg',
    png: 'image/png',
    tiff: 'image/tiff',
    webp: 'image/webp',
  }),
)

const films = new Map(
  Object.entries({
    '3gp': 'video/3gpp',
    avi: 'video/x-msvideo',
    mkv: 'video/x-matroska',
    mov: 'video/quicktime',
    mp4: 'video/mp4',
    webm: 'video/webm',
  }),
)

/** What pages play. Browsers refuse QuickTime by its name, though they play what is in it. */
const played = new Map(Object.entries({ '3gp': 'video/3gpp', mov: 'video/mp4', mp4: 'video/mp4', webm: 'video/webm' }))

export interface Preview {
  readonly kind: 'picture' | 'film'
  /** From our own list and never from whoever sent the file. */
  readonly type: string
}

/** How a file of this name may be shown in the page; null for all that could hold a script, and all that is unknown. */
export function previewOf(name: string): Preview | null {
  const ending = endingOf(name)
  const picture = pictures.get(ending)
  if (picture) return { kind: 'picture', type: picture }
  const film = played.get(ending)
  return film ? { kind: 'film', type: film } : null
}

/** The type under which a phone takes a file of this name into its camera roll; null where it would not. */
export function cameraRollType(name: string): string | null {
  const ending = endingOf(name)
  return ending === 'avif' ? null : (pictures.get(ending) ?? films.get(ending) ?? null)
}

const endingOf = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
