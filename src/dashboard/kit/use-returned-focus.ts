import { useEffect } from 'react';

/** How long after a surface begins to close it has left the page, and the focus is back where it came from. */
const closedMs = 400;

/** Focuses the heading of the page where the focus is nowhere: what it would go back to has left the page. */
function focusHeading(): void {
  if (document.activeElement === null || document.activeElement === document.body)
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
}

/** Leaves the focus somewhere once a surface over the page has closed, also where the button that opened it is there no more. */
export function useReturnedFocus(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    return () => void setTimeout(focusHeading, closedMs);
  }, [isOpen]);
}
