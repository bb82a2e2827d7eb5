/** Raster image types. Vector formats that can contain scripts, such as SVG, are never shown. */
const imageTypes = new Map(
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

const videoTypes = new Map(
  Object.entries({
    '3gp': 'video/3gpp',
    avi: 'video/x-msvideo',
    mkv: 'video/x-matroska',
    mov: 'video/quicktime',
    mp4: 'video/mp4',
    webm: 'video/webm',
  }),
)

/**
 * Video types that browsers play. QuickTime files are served as MP4, because browsers refuse the QuickTime type but
 * play its contents.
 */
const playableTypes = new Map(
  Object.entries({ '3gp': 'video/3gpp', mov: 'video/mp4', mp4: 'video/mp4', webm: 'video/webm' }),
)

export interface Preview {
  readonly kind: 'picture' | 'film'
  /** From this fixed list, never from the sender of the file. */
  readonly type: string
}

/** The preview of a file by its name; null for files that may contain scripts and for unknown types. */
export function previewOf(name: string): Preview | null {
  const extension = extensionOf(name)
  const imageType = imageTypes.get(extension)
  if (imageType) return { kind: 'picture', type: imageType }
  const videoType = playableTypes.get(extension)
  return videoType ? { kind: 'film', type: videoType } : null
}

/** The type under which a phone saves a file to its camera roll; null where it does not support the file. */
export function cameraRollType(name: string): string | null {
  const extension = extensionOf(name)
  return extension === 'avif' ? null : (imageTypes.get(extension) ?? videoTypes.get(extension) ?? null)
}

const extensionOf = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
