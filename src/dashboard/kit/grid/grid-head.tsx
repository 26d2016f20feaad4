import ArrowDownIcon from 'lucide-react/icons/arrow-down';
import ArrowUpIcon from 'lucide-react/icons/arrow-up';
import { cx } from '../class-names.ts';
import { Hidden } from '../text.tsx';
import type { GridSort } from './columns.ts';
import styles from './grid.module.css';
import { cellId, type GridLayout } from './grid-row.tsx';
import type { Place } from './keys.ts';

type GridHeadProps<Row> = GridLayout<Row> & {
  readonly sort: GridSort | null;
  readonly onSort: (column: string) => void;
  readonly place: Place;
  readonly menuLabel: string;
};

/** Column titles. Titles of sortable columns are buttons for the pointer; for the keyboard, the grid handles `Enter`. */
export const GridHead = <Row,>({
  id,
  columns,
  isSelectable,
  hasMenus,
  sort,
  onSort,
  place,
  menuLabel,
}: GridHeadProps<Row>) => (
  // biome-ignore lint/a11y/useSemanticElements: see the grid.
  <div role="rowgroup" className={styles.head}>
    {/* biome-ignore lint/a11y/useSemanticElements: see the grid. */}
    {/* biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus. */}
    <div role="row" aria-rowindex={1} className={styles.headRow}>
      {isSelectable && <span aria-hidden="true" />}
      {columns.map((column, index) => {
        const isSorted = sort?.column === column.id;
        return (
          // biome-ignore lint/a11y/useSemanticElements: see the grid.
          // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus.
          // biome-ignore lint/a11y/useKeyWithClickEvents: the grid takes the keys.
          <div
            key={column.id}
            role="columnheader"
            id={cellId(id, -1, index)}
            aria-colindex={index + 1}
            aria-sort={column.isSortable === true ? (isSorted ? sort.direction : 'none') : undefined}
            className={cx(styles.title, column.align === 'end' && styles.end)}
            data-fit={column.align === 'end' ? column.id : undefined}
            data-sortable={column.isSortable || undefined}
            data-active={(place.row === -1 && place.column === index) || undefined}
            onClick={() => column.isSortable && onSort(column.id)}
          >
            <span className={styles.titleText}>{column.title}</span>
            {isSorted && (sort.direction === 'ascending' ? <ArrowUpIcon /> : <ArrowDownIcon />)}
          </div>
        );
      })}
      {columns.every(({ grow = 0 }) => grow === 0) && <span aria-hidden="true" />}
      {hasMenus && (
        // biome-ignore lint/a11y/useSemanticElements: see the grid.
        // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus.
        <div role="columnheader" aria-colindex={columns.length + 1}>
          <Hidden>{menuLabel}</Hidden>
        </div>
      )}
    </div>
  </div>
);

export const GridTotals = <Row,>({ columns, isSelectable, hasMenus, isNarrow }: GridLayout<Row>) =>
  columns.some(({ total }) => total !== undefined) && !isNarrow ? (
    // biome-ignore lint/a11y/useSemanticElements: see the grid.
    <div role="rowgroup" className={styles.foot}>
      {/* biome-ignore lint/a11y/useSemanticElements: see the grid. */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus. */}
      <div role="row" className={styles.footRow}>
        {isSelectable && <span aria-hidden="true" />}
        {columns.map(({ id, align, total }, index) => (
          // biome-ignore lint/a11y/useSemanticElements: see the grid.
          // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus.
          <div
            key={id}
            role="gridcell"
            aria-colindex={index + 1}
            className={cx(styles.cell, align === 'end' && styles.end)}
            data-fit={align === 'end' ? id : undefined}
          >
            {total}
          </div>
        ))}
        {hasMenus && <span aria-hidden="true" />}
      </div>
    </div>
  ) : null;
