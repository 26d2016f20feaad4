import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';
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
  const frame = useRef<HTMLDivElement>(null);
  const [available, setAvailable] = useState(0);
  const [widths, setWidths] = useState<Widths>({});
  useLayoutEffect(() => {
    const box = frame.current;
    if (box === null) return undefined;
    const measure = () => setAvailable(box.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
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
