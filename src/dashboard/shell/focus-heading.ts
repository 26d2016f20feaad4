import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { beginPage } from '../data/requests.ts';
import { focusHeading } from '../kit/heading-focus.ts';
import { useWords } from '../words/words.ts';
import { usePageName } from './page-name.ts';

/**
 * Maximum time to wait for a page's heading after navigation, and the interval between checks. Both are in milliseconds.
 */
const timeoutMs = 3_000;
const checkIntervalMs = 100;

/** Focuses the page's heading as soon as it exists, unless another element of the page has the focus. */
function awaitHeading(): () => void {
  const began = performance.now();
  (document.activeElement as HTMLElement | null)?.blur();
  const timer = setInterval(() => {
    focusHeading();
    if (performance.now() - began > timeoutMs) clearInterval(timer);
  }, checkIntervalMs);
  return () => clearInterval(timer);
}

/** Sets the title of the document, and focuses the page's heading after each navigation except the first. */
export function useArrival(): void {
  const name = usePageName();
  const words = useWords('titles');
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = `${name === null ? words.notFound : words[name]} · Quittance`;
  }, [name, words]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: Each path is an arrival.
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return undefined;
    }
    beginPage();
    return awaitHeading();
  }, [path]);
}
