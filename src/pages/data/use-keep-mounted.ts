import { useRef } from 'preact/hooks';

/**
 * Returns true from the first time a form is visible until it's no longer needed. A form that is hidden during bank confirmation therefore keeps its
 * values.
 */
export function useKeepMounted(isShown: boolean, isNeeded: boolean): boolean {
  const wasShown = useRef(false);
  wasShown.current ||= isShown;
  return wasShown.current && isNeeded;
}
