import type { ReactNode } from 'react';

export type GridColumn<Row> = {
  readonly id: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Minimum width in pixels. Defaults to 120. */
  readonly width?: number;
  /** Share of the remaining width, relative to other columns. Defaults to 0, which means a fixed width. */
  readonly grow?: number;
  readonly align?: 'start' | 'end';
  /** True if the list can be sorted by this column. The page sorts the list. */
  readonly isSortable?: boolean;
  /** False to hide the column by default. */
  readonly isShown?: boolean;
  /** True if the column can't be hidden, such as the name column. */
  readonly isRequired?: boolean;
  /** Position on phones: `title`, the end of the first line, or the second line. Columns without a position are hidden on phones. */
  readonly phone?: 'title' | 'end' | 'line';
  /** Content of the total row, such as a total per currency. */
  readonly total?: ReactNode;
};

export type GridSort = { readonly column: string; readonly direction: 'ascending' | 'descending' };

export const hiddenAtFirst = <Row>(columns: readonly GridColumn<Row>[]): string[] =>
  columns.filter(({ isShown = true, isRequired = false }) => !isShown && !isRequired).map(({ id }) => id);

/** Returns the visible columns, in display order. */
export const shownColumns = <Row>(
  columns: readonly GridColumn<Row>[],
  hidden: readonly string[],
): GridColumn<Row>[] => columns.filter(({ id, isRequired = false }) => isRequired || !hidden.includes(id));

/** Returns the width of the checkboxes and menus of rows. */
export const marksWidth = (hasMarks: boolean, hasMenus: boolean): number =>
  (hasMarks ? 40 : 0) + (hasMenus ? 44 : 0);

const widthOf = <Row>(columns: readonly GridColumn<Row>[]): number =>
  columns.reduce((sum, { width = 120 }) => sum + width, 0);

/**
 * Widens columns to the widths of their content, and drops columns until the remaining columns fit: the last columns, and then the details of the second
 * line on phones. Keeps amounts, titles, and required columns. `available` is 0 if the width is unknown.
 */
export function fittingColumns<Row>(
  columns: readonly GridColumn<Row>[],
  widths: Readonly<Record<string, number>>,
  available: number,
): readonly GridColumn<Row>[] {
  let fitting = columns.map((column) => {
    const width = Math.max(column.width ?? 120, widths[column.id] ?? 0);
    return width === (column.width ?? 120) ? column : { ...column, width };
  });
  if (available <= 0) return fitting;
  while (widthOf(fitting) > available) {
    const droppable = fitting.filter(({ align, isRequired = false }) => align !== 'end' && !isRequired);
    const dropped =
      droppable.findLast(({ phone }) => phone === undefined) ??
      droppable.find(({ phone }) => phone === 'line');
    if (dropped === undefined) break;
    fitting = fitting.filter((column) => column !== dropped);
  }
  return fitting;
}

/** Returns the column widths as a CSS grid template. The checkbox column comes first. */
export function gridTemplate<Row>(columns: readonly GridColumn<Row>[], hasMarks: boolean, hasMenus: boolean) {
  const tracks = columns.map(({ width = 120, grow = 0 }) =>
    grow > 0 ? `minmax(${width}px, ${grow}fr)` : `${width}px`,
  );
  if (columns.every(({ grow = 0 }) => grow === 0)) tracks.push('1fr');
  const least = widthOf(columns) + marksWidth(hasMarks, hasMenus);
  return {
    template: [...(hasMarks ? ['40px'] : []), ...tracks, ...(hasMenus ? ['44px'] : [])].join(' '),
    least,
  };
}

/** Returns the next sort order after a click on a column: ascending, descending, then the default order. */
export function nextSort(sort: GridSort | null, column: string): GridSort | null {
  if (sort?.column !== column) return { column, direction: 'ascending' };
  return sort.direction === 'ascending' ? { column, direction: 'descending' } : null;
}
