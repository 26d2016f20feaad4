import { type CSSProperties, type ReactNode, type Ref, useId, useMemo } from 'react';
import { cx } from '../class-names.ts';
import { useKit } from '../provider.tsx';
import { type GridColumn, type GridSort, gridTemplate, marksWidth, shownColumns } from './columns.ts';
import styles from './grid.module.css';
import { GridHead, GridTotals } from './grid-head.tsx';
import { GridNotice, type GridStatus } from './grid-notice.tsx';
import { GridRow } from './grid-row.tsx';
import { useFit } from './use-fit.ts';
import { useGrid } from './use-grid.ts';

export type { GridColumn, GridSort } from './columns.ts';

/** Range of visible rows; `until` is exclusive. */
type VisibleRange = { readonly from: number; readonly until: number };

export type GridProps<Row> = {
  /** Accessible name of the grid, such as "Customers". */
  readonly label: string;
  readonly columns: readonly GridColumn<Row>[];
  /** IDs of hidden columns. */
  readonly hidden?: readonly string[];
  readonly rowCount: number;
  /** False if the list has more rows than `rowCount`. */
  readonly isExact?: boolean;
  /** Returns the row at an index. `undefined` until its page is loaded. */
  readonly rowAt: (index: number) => Row | undefined;
  readonly rowKey: (row: Row) => string;
  /** Called with the range of visible rows when it changes. */
  readonly onVisible?: ((range: VisibleRange) => void) | undefined;
  /** Called with the index of the first visible row after scrolling stops. */
  readonly onTop?: (row: number) => void;
  readonly sort?: GridSort | null;
  readonly onSort?: (sort: GridSort | null) => void;
  /** Keys of the selected rows. Omit to disable selection. */
  readonly selected?: ReadonlySet<string>;
  readonly onSelect?: (selected: ReadonlySet<string>) => void;
  /** Buttons for the selected rows. */
  readonly bulkActions?: ReactNode;
  /** Returns the URL that a row links to. */
  readonly rowHref?: (row: Row) => string;
  /** Called on `Enter`, `o` or a click on a row. Defaults to following the row's link. */
  readonly onOpen?: (row: Row, index: number) => void;
  /** Returns the menu of a row, which the key `.` opens. */
  readonly rowMenu?: (row: Row) => ReactNode;
  /** Key of the row that is open in the sheet. */
  readonly opened?: string | null;
  readonly status?: GridStatus;
  /** Shown if there are no rows, such as an `EmptyState`. */
  readonly empty?: ReactNode;
  /** Number of rows added since the list was loaded, for the button that shows them. */
  readonly arrived?: number;
  readonly onShowArrived?: () => void;
  /** Index of the first visible row after loading. */
  readonly initialRow?: number;
  /** `fill` scrolls inside the available height. `content` grows with the number of rows, up to 70% of the window. */
  readonly height?: 'fill' | 'content';
  readonly ref?: Ref<GridHandle>;
};

export type GridHandle = { readonly focus: () => void; readonly scrollTo: (row: number) => void };

const noColumns: readonly string[] = [];

/**
 * Virtualized list of any length. The document contains at most about 60 rows; `rowAt` provides them. Keyboard: arrow keys, `j`, `k`, `Home`, `End`,
 * `PageUp` and `PageDown` move, `Enter` opens, `x` selects, `.` opens the row's menu.
 */
export function Grid<Row>(props: GridProps<Row>) {
  const { columns, hidden = noColumns, rowCount, isExact = true, label } = props;
  const { status = 'ready', empty, height = 'fill' } = props;
  const { words } = useKit();
  const id = useId();
  // With a stable array, scrolling renders only new rows.
  const chosen = useMemo(() => shownColumns(columns, hidden), [columns, hidden]);
  const isSelectable = props.onSelect !== undefined;
  const hasMenus = props.rowMenu !== undefined;
  const { frame, columns: shown } = useFit(chosen, marksWidth(isSelectable, hasMenus));
  const grid = useGrid(props, shown, id);
  const { template, least } = gridTemplate(shown, isSelectable, hasMenus);
  const layout = { id, columns: shown, isSelectable, hasMenus, isNarrow: grid.isNarrow };
  const isWaiting = status === 'loading' && rowCount === 0;
  const count = isWaiting ? 12 : rowCount;
  return (
    <div ref={frame} className={styles.frame} data-height={height}>
      <GridNotice {...props} grid={grid} />
      {/* biome-ignore lint/a11y/useSemanticElements: rows are placed by offset, which tables do not allow. */}
      <div
        ref={grid.scroller}
        role="grid"
        tabIndex={0}
        aria-label={label}
        aria-rowcount={isExact ? rowCount + 1 : -1}
        aria-colcount={shown.length + (hasMenus ? 1 : 0)}
        aria-multiselectable={isSelectable || undefined}
        aria-busy={isWaiting}
        aria-activedescendant={grid.activeId}
        className={cx(styles.scroller, grid.isNarrow && styles.narrow)}
        data-status={status}
        style={
          { '--grid-template': template, '--grid-least': grid.isNarrow ? 0 : `${least}px` } as CSSProperties
        }
        onKeyDown={grid.onKeyDown}
      >
        <span ref={grid.ruler} className={styles.ruler} aria-hidden="true" />
        <GridHead
          {...layout}
          sort={props.sort ?? null}
          onSort={grid.sortBy}
          place={grid.place}
          menuLabel={words.more}
        />
        {/* biome-ignore lint/a11y/useSemanticElements: see above. */}
        <div
          role="rowgroup"
          className={styles.body}
          style={{ height: isWaiting ? undefined : grid.drawn.totalHeight }}
        >
          {isWaiting
            ? Array.from({ length: count }, (_, index) => (
                <div key={`waiting ${String(index)}`} className={styles.waiting} aria-hidden="true">
                  <span className={styles.bone} />
                </div>
              ))
            : grid.drawn.rows.map(({ index, offset, slot }) => {
                const row = props.rowAt(index);
                const key = row === undefined ? null : props.rowKey(row);
                return (
                  <GridRow
                    key={slot}
                    {...layout}
                    index={index}
                    offset={offset}
                    row={row}
                    activeColumn={grid.place.row === index ? grid.place.column : null}
                    isSelected={key !== null && (props.selected?.has(key) ?? false)}
                    isOpened={key !== null && props.opened === key}
                    rowHref={props.rowHref}
                    rowMenu={props.rowMenu}
                    onPress={grid.onPress}
                    onMark={grid.onMark}
                  />
                );
              })}
        </div>
        <GridTotals {...layout} />
      </div>
      {!isWaiting && rowCount === 0 && status === 'ready' && <div className={styles.empty}>{empty}</div>}
    </div>
  );
}
