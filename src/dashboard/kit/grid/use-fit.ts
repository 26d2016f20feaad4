import { type RefObject, useLayoutEffect, useMemo, useState } from 'react';
import { useWidth } from '../use-width.ts';
import { fittingColumns, type GridColumn } from './columns.ts';

type Widths = Readonly<Record<string, number>>;

/**
 * Widens columns of amounts to their content, so that amounts are never cut, and drops less important columns if the grid is too narrow. Widths only
 * grow while the grid is open.
 */
export function useFit<Row>(
  columns: readonly GridColumn<Row>[],
  marks: number,
): { readonly frame: RefObject<HTMLDivElement | null>; readonly columns: readonly GridColumn<Row>[] } {
  const [frame, available] = useWidth();
  const [widths, setWidths] = useState<Widths>({});
  // The visible rows differ after each render.
  useLayoutEffect(() => {
    const found: Record<string, number> = {};
    for (const cell of frame.current?.querySelectorAll<HTMLElement>('[data-fit]') ?? []) {
      const id = cell.dataset['fit'] ?? '';
      if (cell.scrollWidth > cell.clientWidth) found[id] = Math.max(found[id] ?? 0, cell.scrollWidth + 1);
    }
    if (Object.entries(found).some(([id, width]) => width > (widths[id] ?? 0)))
      setWidths({ ...widths, ...found });
  });
  const fitting = useMemo(
    () => fittingColumns(columns, widths, available - marks),
    [columns, widths, available, marks],
  );
  return { frame, columns: fitting };
}
