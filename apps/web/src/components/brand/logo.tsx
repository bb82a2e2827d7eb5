import { productName } from '#/strings/product.ts'

/** The logo: a gate within a gate on a ground line. */
const LogoMark = () => (
  <svg aria-hidden="true" viewBox="0 0 24 24" width={24} height={24} className="shrink-0">
    <path fill="none" stroke="currentColor" strokeWidth="1.9" d="M3.6 21.4V11.1a8.4 8.4 0 0 1 16.8 0v10.3" />
    <path className="fill-seal-fill" d="M7.9 21.4v-8.3a4.1 4.1 0 0 1 8.2 0v8.3z" />
    <path stroke="currentColor" strokeWidth="1.9" d="M1 21.6h22" />
  </svg>
)

/** Logo and product name; wrap it in a link to the start page. */
export const Brand = () => (
  <span className="inline-flex items-center gap-2.5">
    <LogoMark />
    <span className="heading text-xl tracking-[-0.01em]">{productName}</span>
  </span>
)
