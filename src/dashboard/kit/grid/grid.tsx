import { type CSSProperties, type ReactNode, type Ref, useId, useMemo } from 'react';
import { cx } from '../class-names.ts';
import { useKit } from '../provider.tsx';
import { type GridColumn, type GridSort, gridTemplate, shownColumns } from './columns.ts';
import styles from './grid.module.css';
import { GridHead, GridTotals } from './grid-head.tsx';
import { GridNotice, type GridStatus } from './grid-notice.tsx';
import { GridRow } from './grid-row.tsx';
import { useGrid } from './use-grid.ts';

export type { GridColumn, GridSort } from './columns.ts';
export type { GridStatus } from './grid-notice.tsx';

/** The rows on screen, `until` not included. */
export type VisibleRange = { readonly from: number; readonly until: number };

export type GridProps<Row> = {
  /** What the rows are, for readers: Customers. */
  readonly label: string;
  readonly columns: readonly GridColumn<Row>[];
  /** Ids of columns that are hidden. */
  readonly hidden?: readonly string[];
  readonly rowCount: number;
  /** False where the list goes on beyond `rowCount`. */
  readonly isExact?: boolean;
  /** The row at a place; undefined while its page is not loaded. */
  readonly rowAt: (index: number) => Row | undefined;
  readonly rowKey: (row: Row) => string;
  /** Called with the rows on screen whenever they change. */
  readonly onVisible?: ((range: VisibleRange) => void) | undefined;
  /** Called with the first row on screen once scrolling rests. */
  readonly onTop?: (row: number) => void;
  readonly sort?: GridSort | null;
  readonly onSort?: (sort: GridSort | null) => void;
  /** The keys of selected rows; with it rows can be selected. */
  readonly selected?: ReadonlySet<string>;
  readonly onSelect?: (selected: ReadonlySet<string>) => void;
  /** Buttons for the selected rows. */
  readonly bulkActions?: ReactNode;
  /** The address of a row, for its link. */
  readonly rowHref?: (row: Row) => string;
  /** Opens a row: `Enter`, `o` or a click. Defaults to following its link. */
  readonly onOpen?: (row: Row, index: number) => void;
  /** A menu of a row; the key `.` opens it. */
  readonly rowMenu?: (row: Row) => ReactNode;
  /** The key of the row whose sheet is open. */
  readonly opened?: string | null;
  readonly status?: GridStatus;
  /** Shown where there are no rows: an EmptyState, or one that says that nothing matches. */
  readonly empty?: ReactNode;
  /** How many rows came since the list was loaded, with a button that shows them. */
  readonly arrived?: number;
  readonly onShowArrived?: () => void;
  /** The row to begin at. */
  readonly initialRow?: number;
  /** `fill` scrolls inside the height that is there; `content` is as high as its rows, up to 70 % of the window. */
  readonly height?: 'fill' | 'content';
  readonly ref?: Ref<GridHandle>;
};

/** What a page can ask of a grid. */
export type GridHandle = { readonly focus: () => void; readonly scrollTo: (row: number) => void };

const noColumns: readonly string[] = [];

/**
 * A list of any length: at most some sixty rows are in the document, the others come through `rowAt`. Keyboard: arrows, `j` `k`, `Home`, `End`,
 * `PageUp`, `PageDown`, `Enter` opens, `x` selects, `.` opens the menu of the row.
 */
export function Grid<Row>(props: GridProps<Row>) {
  const { columns, hidden = noColumns, rowCount, isExact = true, label } = props;
  const { status = 'ready', empty, height = 'fill' } = props;
  const { words } = useKit();
  const id = useId();
  // The same array while nothing changes, so that scrolling draws only the rows that come in.
  const shown = useMemo(() => shownColumns(columns, hidden), [columns, hidden]);
  const isSelectable = props.onSelect !== undefined;
  const hasMenus = props.rowMenu !== undefined;
  const grid = useGrid(props, shown, id);
  const { template, least } = gridTemplate(shown, isSelectable, hasMenus);
  const layout = { id, columns: shown, isSelectable, hasMenus, isNarrow: grid.isNarrow };
  const isWaiting = status === 'loading' && rowCount === 0;
  const count = isWaiting ? 12 : rowCount;
  return (
    <div className={styles.frame} data-height={height}>
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
