/** A `ref` that focuses what has just appeared in place of the control that the user has pressed. */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true })
}
