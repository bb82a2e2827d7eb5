import { area } from './area.ts'

const deviceStrings = area('device', {
  commandLine: 'Command line',
  browserOn: (browser: string, system: string) => `${browser} on ${system}`,
})

const commandLine = /^sallyport/i

const browsers: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const operatingSystems: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

const findName = (table: readonly (readonly [RegExp, string])[], text: string): string | null =>
  table.find(([pattern]) => pattern.test(text))?.[1] ?? null

/** Returns a device name from the user agent, such as `Firefox on Windows`; null if neither browser nor system is known. */
export function deviceName(userAgent: string): string | null {
  const browser = commandLine.test(userAgent) ? deviceStrings.commandLine : findName(browsers, userAgent)
  const operatingSystem = findName(operatingSystems, userAgent)
  if (browser && operatingSystem) return deviceStrings.browserOn(browser, operatingSystem)
  return browser ?? operatingSystem
}

export const isHandheld = (userAgent: string): boolean => /\b(iPhone|iPad|Android|Mobile)\b/.test(userAgent)
