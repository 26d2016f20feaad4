/** Focuses the page's heading, unless another element of the page has the focus. */
export function focusHeading(): void {
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body || activeElement.matches('main h1'))
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
}
