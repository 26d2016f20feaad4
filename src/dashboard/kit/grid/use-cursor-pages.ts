import { useMemo, useRef, useSyncExternalStore } from 'react';
import { MarksPages, type MarksSource } from './cursor-pages.ts';

/**
 * Returns the rows of a list for a `Grid`. `key` identifies the list with its filters and sort order. When `key` changes, the current
 * rows stay visible until new rows arrive.
 */
export function useMarksPages<Row>(key: string, source: MarksSource<Row>, size = 100) {
  const latest = useRef(source);
  latest.current = source;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another key is another list with a source of its own.
  const pages = useMemo(() => new MarksPages<Row>(latest.current, { size }), [key, size]);
  const shown = useRef(pages);
  const state = useSyncExternalStore(pages.subscribe, () => pages.state);
  const isWaiting = state.status === 'loading' && shown.current !== pages && shown.current.state.rowCount > 0;
  if (!isWaiting) shown.current = pages;
  const current = shown.current;
  return {
    ...current.state,
    status: isWaiting ? ('stale' as const) : state.status,
    rowAt: current.rowAt,
    onVisible: isWaiting ? undefined : pages.onVisible,
    refresh: pages.refresh,
  };
}
