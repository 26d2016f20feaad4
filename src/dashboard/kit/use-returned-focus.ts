import { useEffect } from 'react';
import { focusHeading } from './heading-focus.ts';

/** How long after a surface begins to close it has left the page, and the focus is back where it came from. */
const closedMs = 400;

/** Leaves the focus on the page's heading where a surface over the page has closed and the button that opened it is there no more. */
export function useReturnedFocus(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    return () => void setTimeout(focusHeading, closedMs);
  }, [isOpen]);
}
