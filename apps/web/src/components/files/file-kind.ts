export type FileKind = 'archive' | 'audio' | 'code' | 'document' | 'image' | 'other' | 'table' | 'video'

const extensions: Record<Exclude<FileKind, 'other'>, readonly string[]> = {
  archive: ['zip', 'tar', 'gz', 'tgz', 'bz2', 'xz', 'zst', '7z', 'rar', 'iso', 'dmg'],
  audio: ['mp3', 'm4a', 'aac', 'wav', 'flac', 'ogg', 'opus', 'aiff'],
  code: [
    'js',
    'ts',
    'tsx',
    'jsx',
    'json',
    'html',
    'css',
    'py',
    'rs',
    'go',
    'c',
    'h',
    'cpp',
    'java',
    'sh',
    'sql',
    'xml',
    'yaml',
    'yml',
    'toml',
  ],
  document: ['pdf', 'txt', 'md', 'doc', 'docx', 'odt', 'rtf', 'pages', 'ppt', 'pptx', 'odp', 'key', 'epub'],
  image: [
    'jpg',
    'jpeg',
    'png',
    'gif',
    'webp',
    'avif',
    'heic',
    'heif',
    'bmp',
    'tiff',
    'tif',
    'svg',
    'psd',
    'raw',
    'dng',
  ],
  table: ['csv', 'tsv', 'xls', 'xlsx', 'ods', 'numbers', 'parquet'],
  video: ['mp4', 'mov', '3gp', 'mkv', 'webm', 'avi', 'm4v', 'wmv'],
}

const kinds = new Map(
  Object.entries(extensions).flatMap(([kind, list]) => list.map((extension) => [extension, kind as FileKind] as const)),
)

/** The kind of file by its extension. Used for the icon only. */
export function fileKind(name: string): FileKind {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase()
  return (extension && kinds.get(extension)) || 'other'
}
