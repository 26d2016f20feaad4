/** Focuses the heading of the page where the focus is nowhere, or on the heading of a page that was left. */
export function focusHeading(): void {
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body || activeElement.matches('main h1'))
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
}
