import { useEffect } from 'react';
import { focusHeading } from './heading-focus.ts';

/** Time in milliseconds after which a surface has closed and its button has the focus again. */
const closedMs = 400;

/** After a surface closes, focuses the page's heading if the button that opened the surface no longer exists. */
export function useReturnedFocus(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    return () => void setTimeout(focusHeading, closedMs);
  }, [isOpen]);
}
