import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import type { GridProps } from './grid.tsx';
import type { GridSizes } from './use-sizes.ts';

/** Number of rows that are rendered above and below the visible area. */
const overscan = 8;

/** Rendered row: its index, its vertical offset, and the key of the element that it reuses. */
type DrawnRow = { readonly index: number; readonly offset: number; readonly slot: number };

export type DrawnRows = {
  readonly rows: readonly DrawnRow[];
  readonly from: number;
  readonly until: number;
  readonly totalHeight: number;
  /** Scrolls as little as possible to make a row visible. Row -1 is the header. */
  readonly show: (row: number) => void;
};

/** Returns the rows to render: the visible rows and a few above and below. Elements are reused, so that their number is limited. */
export function useRows<Row>(
  { rowCount, initialRow = 0, onVisible, onTop }: GridProps<Row>,
  scroller: RefObject<HTMLDivElement | null>,
  sizes: GridSizes,
): DrawnRows {
  const virtualizer = useVirtualizer({
    count: rowCount,
    getScrollElement: () => scroller.current,
    estimateSize: () => sizes.row,
    overscan,
    scrollMargin: sizes.head,
    scrollPaddingStart: sizes.head,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows of another height have other places.
  useLayoutEffect(() => virtualizer.measure(), [sizes.row]);
  const awaited = useRef(initialRow);
  useLayoutEffect(() => {
    if (awaited.current === 0 || rowCount <= awaited.current) return;
    virtualizer.scrollToIndex(awaited.current, { align: 'start' });
    awaited.current = 0;
  }, [rowCount, virtualizer]);
  const rest = useEffectEvent(() => onTop?.(Math.round((virtualizer.scrollOffset ?? 0) / sizes.row)));
  const { isScrolling } = virtualizer;
  const hasScrolled = useRef(false);
  useEffect(() => {
    if (isScrolling) hasScrolled.current = true;
    else if (hasScrolled.current) rest();
  }, [isScrolling]);
  const items = virtualizer.getVirtualItems();
  const from = items[0]?.index ?? 0;
  const until = (items.at(-1)?.index ?? -1) + 1;
  useEffect(() => {
    if (until > from) onVisible?.({ from, until });
  }, [from, until, onVisible]);
  const show = useCallback(
    (row: number) => {
      if (row >= 0) virtualizer.scrollToIndex(row);
      else scroller.current?.scrollTo({ top: 0 });
    },
    [virtualizer, scroller],
  );
  const slots = Math.ceil(sizes.height / sizes.row) + 2 * overscan + 2;
  return {
    rows: items.map(({ index, start }) => ({ index, offset: start - sizes.head, slot: index % slots })),
    from,
    until,
    totalHeight: virtualizer.getTotalSize(),
    show,
  };
}
