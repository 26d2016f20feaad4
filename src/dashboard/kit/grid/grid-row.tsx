import CheckIcon from 'lucide-react/icons/check';
import { type MouseEvent, memo, type ReactNode } from 'react';
import { cx } from '../class-names.ts';
import type { GridColumn } from './columns.ts';
import styles from './grid.module.css';

export type GridLayout<Row> = {
  readonly id: string;
  readonly columns: readonly GridColumn<Row>[];
  readonly isSelectable: boolean;
  readonly hasMenus: boolean;
  readonly isNarrow: boolean;
};

export const cellId = (id: string, row: number, column: number): string => `${id}-${row}-${column}`;

type GridRowProps<Row> = GridLayout<Row> & {
  readonly index: number;
  readonly offset: number;
  readonly row: Row | undefined;
  readonly activeColumn: number | null;
  readonly isSelected: boolean;
  readonly isOpened: boolean;
  readonly rowHref: ((row: Row) => string) | undefined;
  readonly rowMenu: ((row: Row) => ReactNode) | undefined;
  readonly onPress: (index: number, column: number, event: MouseEvent) => void;
  readonly onMark: (index: number, event: MouseEvent) => void;
};

/** Returns the content of a cell. The first cell contains the row's link, which covers the whole row for the pointer. */
function content<Row>(
  { row, rowHref }: GridRowProps<Row>,
  column: GridColumn<Row>,
  isFirst: boolean,
): ReactNode {
  if (row === undefined) return <span className={styles.bone} aria-hidden="true" />;
  const inside = column.cell(row);
  return isFirst && rowHref !== undefined ? (
    <a href={rowHref(row)} className={styles.link} tabIndex={-1} data-row-link="">
      {inside}
    </a>
  ) : (
    inside
  );
}

function cells<Row>(props: GridRowProps<Row>, columns: readonly GridColumn<Row>[]) {
  return columns.map((column) => {
    const place = props.columns.indexOf(column);
    return (
      // biome-ignore lint/a11y/useSemanticElements: see the grid.
      // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names its active cell.
      <div
        key={column.id}
        role="gridcell"
        id={cellId(props.id, props.index, place)}
        aria-colindex={place + 1}
        className={cx(styles.cell, column.align === 'end' && styles.end)}
        data-active={props.activeColumn === place || undefined}
        data-column={place}
        data-fit={column.align === 'end' ? column.id : undefined}
      >
        {content(props, column, place === 0)}
      </div>
    );
  });
}

const inPlace = <Row,>(columns: readonly GridColumn<Row>[], place: GridColumn<Row>['phone']) =>
  columns.filter(({ phone }) => phone === place);

/** Arranges the cells on phones: the `title` and `end` cells on the first line, other cells on the second line. */
function phoneCells<Row>(props: GridRowProps<Row>) {
  const { columns } = props;
  const title = inPlace(columns, 'title');
  return (
    <div role="presentation" className={styles.card}>
      <div role="presentation" className={styles.cardTop}>
        {cells(props, title.length > 0 ? title : columns.slice(0, 1))}
        {cells(props, inPlace(columns, 'end'))}
      </div>
      <div role="presentation" className={styles.cardLine}>
        {cells(props, inPlace(columns, 'line'))}
      </div>
    </div>
  );
}

function Row<Item>(props: GridRowProps<Item>) {
  const { index, offset, isSelectable, hasMenus, isSelected, isOpened, isNarrow, activeColumn, columns } =
    props;
  const press = (event: MouseEvent<HTMLElement>) => {
    const cell = (event.target as HTMLElement).closest<HTMLElement>('[data-column]');
    props.onPress(index, Number(cell?.dataset['column'] ?? 0), event);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid.
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid takes the keys.
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelectable ? isSelected : undefined}
      className={styles.row}
      data-active={activeColumn !== null || undefined}
      data-opened={isOpened || undefined}
      style={{ transform: `translateY(${offset}px)` }}
      onClick={press}
    >
      {isSelectable && (
        // biome-ignore lint/a11y/noStaticElementInteractions: the row says whether it is selected; `x` selects it.
        // biome-ignore lint/a11y/useKeyWithClickEvents: see above.
        <div className={styles.mark} onClick={(event) => props.onMark(index, event)}>
          <span className={styles.box}>{isSelected && <CheckIcon />}</span>
        </div>
      )}
      {isNarrow ? phoneCells(props) : cells(props, columns)}
      {!isNarrow && columns.every(({ grow = 0 }) => grow === 0) && <span aria-hidden="true" />}
      {hasMenus && (
        // biome-ignore lint/a11y/useSemanticElements: see the grid.
        // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus.
        <div role="gridcell" aria-colindex={columns.length + 1} className={styles.menu} data-row-menu={index}>
          {props.row !== undefined && props.rowMenu?.(props.row)}
        </div>
      )}
    </div>
  );
}

/** Row of the grid. Rerenders only if its data or state changes. */
export const GridRow = memo(Row) as typeof Row;
