import { findChromium, findHeadlessChromium } from '../../../tools/system-packages.ts'

/** The browser of the tests. Screenshots need the whole one, because the headless build spaces small text unevenly. */
export const executablePath = process.env['DRAW_SCREENS'] ? findChromium() : findHeadlessChromium()
