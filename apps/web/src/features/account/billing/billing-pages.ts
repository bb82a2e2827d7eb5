/** The pages of plans, in one file: what every visitor loads lists the files of each import. */
export { TestCheckoutPage } from './test-checkout-page.tsx'
export { UpgradePage } from './upgrade-page.tsx'
export { UpgradeSuccessPage } from './upgrade-success-page.tsx'
