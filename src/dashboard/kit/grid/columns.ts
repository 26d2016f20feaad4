import type { ReactNode } from 'react';

/** A column of a grid. */
export type GridColumn<Row> = {
  readonly id: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** The least width in px; Defaults to 120. */
  readonly width?: number;
  /** How much of the room that is left the column takes, against the others. Defaults to 0: the width is fixed. */
  readonly grow?: number;
  readonly align?: 'start' | 'end';
  /** Whether the list can be sorted by the column; the page sorts. */
  readonly isSortable?: boolean;
  /** Whether the column is shown from the beginning. Defaults to true. */
  readonly isShown?: boolean;
  /** Whether the column cannot be hidden: the name of the row. */
  readonly isRequired?: boolean;
  /** The place on phones: the title, the end of the first line, the second line, or nowhere (the default). */
  readonly phone?: 'title' | 'end' | 'line';
  /** What stands below the column: a sum per currency. */
  readonly total?: ReactNode;
};

export type GridSort = { readonly column: string; readonly direction: 'ascending' | 'descending' };

/** The ids of columns that are hidden from the beginning. */
export const hiddenAtFirst = <Row>(columns: readonly GridColumn<Row>[]): string[] =>
  columns.filter(({ isShown = true, isRequired = false }) => !isShown && !isRequired).map(({ id }) => id);

/** The columns to show, in order. */
export const shownColumns = <Row>(
  columns: readonly GridColumn<Row>[],
  hidden: readonly string[],
): GridColumn<Row>[] => columns.filter(({ id, isRequired = false }) => isRequired || !hidden.includes(id));

/** The widths of columns as a grid template, the one of the check mark first. */
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

/** How a list is sorted after a press on a column: ascending, descending, then as it was. */
export function nextSort(sort: GridSort | null, column: string): GridSort | null {
  if (sort?.column !== column) return { column, direction: 'ascending' };
  return sort.direction === 'ascending' ? { column, direction: 'descending' } : null;
}
