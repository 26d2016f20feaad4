import { type RefObject, useMemo, useRef } from 'react';
import { nextSort } from './columns.ts';
import type { GridProps } from './grid.tsx';
import { range, toggled } from './selection.ts';

export type RowActions = {
  readonly openRow: (index: number) => void;
  /** Toggles the selection of a row, or selects all rows between the last selected row and this one. */
  readonly select: (index: number, isRange: boolean) => void;
  /** Sets the start of the next range if no row is selected. */
  readonly beginAt: (index: number) => void;
  readonly sortBy: (column: string) => void;
};

/** Returns the actions on rows of a grid. The functions don't change while the grid is mounted. */
export function useRowActions<Row>(
  latest: RefObject<GridProps<Row>>,
  follow: (href: string) => void,
): RowActions {
  const anchor = useRef(0);
  return useMemo(() => {
    const keyAt = (index: number) => {
      const row = latest.current.rowAt(index);
      return row === undefined ? null : latest.current.rowKey(row);
    };
    return {
      openRow: (index) => {
        const { onOpen, rowAt, rowHref } = latest.current;
        const row = rowAt(index);
        if (row === undefined) return;
        const href = rowHref?.(row);
        if (onOpen !== undefined) onOpen(row, index);
        else if (href !== undefined) follow(href);
      },
      select: (index, isRange) => {
        const { onSelect, selected = new Set() } = latest.current;
        onSelect?.(isRange ? range(selected, anchor.current, index, keyAt) : toggled(selected, keyAt(index)));
        if (!isRange) anchor.current = index;
      },
      beginAt: (index) => {
        if ((latest.current.selected?.size ?? 0) === 0) anchor.current = index;
      },
      sortBy: (column) => latest.current.onSort?.(nextSort(latest.current.sort ?? null, column)),
    };
  }, [latest, follow]);
}
