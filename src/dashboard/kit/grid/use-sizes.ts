import { type RefObject, useLayoutEffect, useState } from 'react';

/** Width in pixels below which grids show each row as a card. */
const narrowWidth = 560;

export type GridSizes = {
  readonly row: number;
  readonly head: number;
  readonly height: number;
  readonly isNarrow: boolean;
};

/** Measures the grid and the row height, which depends on density and text size. */
export function useSizes(
  scroller: RefObject<HTMLDivElement | null>,
  ruler: RefObject<HTMLSpanElement | null>,
): GridSizes {
  const [sizes, setSizes] = useState<GridSizes>({ row: 38, head: 32, height: 600, isNarrow: false });
  useLayoutEffect(() => {
    const measure = () => {
      const [box, line] = [scroller.current, ruler.current];
      if (box === null || line === null) return;
      const isNarrow = box.clientWidth < narrowWidth;
      const head = box.querySelector<HTMLElement>('[role="rowgroup"]')?.offsetHeight ?? 0;
      const next = { row: line.offsetHeight, head: isNarrow ? 0 : head, height: box.clientHeight, isNarrow };
      setSizes((old) => (JSON.stringify(old) === JSON.stringify(next) ? old : next));
    };
    measure();
    const observer = new ResizeObserver(measure);
    if (scroller.current !== null) observer.observe(scroller.current);
    if (ruler.current !== null) observer.observe(ruler.current);
    return () => observer.disconnect();
  }, [scroller, ruler]);
  return sizes;
}
