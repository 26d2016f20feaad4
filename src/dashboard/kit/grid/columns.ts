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

/** Returns the column widths as a CSS grid template. The checkbox column comes first. */
export function gridTemplate<Row>(columns: readonly GridColumn<Row>[], hasMarks: boolean, hasMenus: boolean) {
  const tracks = columns.map(({ width = 120, grow = 0 }) =>
    grow > 0 ? `minmax(${width}px, ${grow}fr)` : `${width}px`,
  );
  if (columns.every(({ grow = 0 }) => grow === 0)) tracks.push('1fr');
  const least =
    columns.reduce((sum, { width = 120 }) => sum + width, 0) + (hasMarks ? 40 : 0) + (hasMenus ? 44 : 0);
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
