import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { beginPage } from '../data/requests.ts';
import { focusHeading } from '../kit/heading-focus.ts';
import type { titles } from '../words/en/titles.ts';
import { useWords } from '../words/words.ts';
import { usePageName } from './page-name.ts';

/** How long after navigation a page may take until its heading is focused, and how often that is looked at. */
const patienceMs = 3_000;
const lookMs = 100;

/** Focuses the heading of the page once it is there, unless something in the page took the focus before. */
function awaitHeading(): () => void {
  const began = performance.now();
  (document.activeElement as HTMLElement | null)?.blur();
  const timer = setInterval(() => {
    focusHeading();
    if (performance.now() - began > patienceMs) clearInterval(timer);
  }, lookMs);
  return () => clearInterval(timer);
}

/** Sets the title of the document, and moves the focus to the page's heading after navigation, not at the first page. */
export function useArrival(): void {
  const name = usePageName();
  const words = useWords<typeof titles>('titles');
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
