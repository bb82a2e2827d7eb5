const browsers: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^sallyport/i, 'Command line'],
]

const systems: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

const named = (table: readonly (readonly [RegExp, string])[], text: string): string | null =>
  table.find(([pattern]) => pattern.test(text))?.[1] ?? null

/** What a device is called by the words its browser sends, such as `Firefox on Windows`; null when they say nothing. */
export function deviceName(userAgent: string): string | null {
  const browser = named(browsers, userAgent)
  const system = named(systems, userAgent)
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system
}

export const isHandheld = (userAgent: string): boolean => /\b(iPhone|iPad|Android|Mobile)\b/.test(userAgent)
