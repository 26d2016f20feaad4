import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useCallback,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { useKit } from '../provider.tsx';
import type { GridColumn } from './columns.ts';
import type { GridProps } from './grid.tsx';
import { cellId } from './grid-row.tsx';
import { type GridAction, gridAction, type Place } from './keys.ts';
import { type RowActions, useRowActions } from './use-row-actions.ts';
import { type DrawnRows, useRows } from './use-rows.ts';
import { useSizes } from './use-sizes.ts';

export type GridState = {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly ruler: RefObject<HTMLSpanElement | null>;
  readonly drawn: DrawnRows;
  readonly isNarrow: boolean;
  readonly place: Place;
  readonly activeId: string | undefined;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onPress: (index: number, column: number, event: MouseEvent) => void;
  readonly onMark: (index: number, event: MouseEvent) => void;
  readonly sortBy: (column: string) => void;
  readonly focus: () => void;
  readonly scrollTo: (row: number) => void;
};

/** Returns the click handler of a row. Links and buttons inside the row take precedence. */
function usePress(setPlace: (place: Place) => void, { openRow, select }: RowActions) {
  const onPress = useCallback(
    (index: number, column: number, event: MouseEvent) => {
      setPlace({ row: index, column });
      const inner = (event.target as HTMLElement).closest('a, button, input, [data-row-menu]');
      const isLink = inner?.hasAttribute('data-row-link') === true;
      const isModified = event.shiftKey || event.ctrlKey || event.metaKey;
      // A click with a modifier key on the link opens a new tab or window, as in other pages.
      if (event.defaultPrevented || (inner !== null && (!isLink || isModified))) return;
      event.preventDefault();
      if (isModified) select(index, event.shiftKey);
      else if (isLink || getSelection()?.isCollapsed !== false) openRow(index);
    },
    [setPlace, openRow, select],
  );
  const onMark = useCallback(
    (index: number, event: MouseEvent) => {
      event.stopPropagation();
      setPlace({ row: index, column: 0 });
      select(index, event.shiftKey);
    },
    [setPlace, select],
  );
  return { onPress, onMark };
}

/** Manages the state of a grid: rendered rows, active cell, and the handlers of keys and clicks. */
export function useGrid<Row>(
  props: GridProps<Row>,
  columns: readonly GridColumn<Row>[],
  id: string,
): GridState {
  const scroller = useRef<HTMLDivElement>(null);
  const ruler = useRef<HTMLSpanElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const { open, hasLetterKeys } = useKit();
  const sizes = useSizes(scroller, ruler);
  const drawn = useRows(props, scroller, sizes);
  const [place, setPlace] = useState<Place>({ row: props.initialRow ?? 0, column: 0 });
  const actions = useRowActions(latest, open);
  const press = usePress(setPlace, actions);
  const { show } = drawn;

  const move = ({ to, selects }: Extract<GridAction, { kind: 'move' }>) => {
    if (selects) actions.beginAt(Math.max(place.row, 0));
    setPlace(to);
    show(to.row);
    if (selects && to.row >= 0) actions.select(to.row, true);
  };
  const carryOut: Record<Exclude<GridAction['kind'], 'move'>, () => void> = {
    open: () => actions.openRow(place.row),
    select: () => actions.select(place.row, false),
    clear: () => props.onSelect?.(new Set()),
    menu: () =>
      scroller.current?.querySelector<HTMLElement>(`[data-row-menu="${place.row}"] button`)?.click(),
    sort: () => columns[place.column]?.isSortable && actions.sortBy(columns[place.column]?.id ?? ''),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== scroller.current || event.defaultPrevented) return;
    const page = Math.max(1, Math.floor((sizes.height - sizes.head) / sizes.row) - 1);
    const shape = { rows: props.rowCount, columns: columns.length, page, hasLetters: hasLetterKeys };
    const action = gridAction(event, place, shape);
    if (action === null || (action.kind === 'clear' && (props.selected?.size ?? 0) === 0)) return;
    event.preventDefault();
    if (action.kind === 'move') move(action);
    else carryOut[action.kind]();
  };
  const focus = useCallback(() => scroller.current?.focus({ preventScroll: true }), []);
  const scrollTo = useCallback(
    (row: number) => {
      setPlace({ row, column: 0 });
      show(row);
    },
    [show],
  );
  useImperativeHandle(props.ref, () => ({ focus, scrollTo }), [focus, scrollTo]);
  const isDrawn = place.row === -1 || (place.row >= drawn.from && place.row < drawn.until);
  return {
    scroller,
    ruler,
    drawn,
    isNarrow: sizes.isNarrow,
    place,
    activeId: isDrawn && props.rowCount > 0 ? cellId(id, place.row, place.column) : undefined,
    onKeyDown,
    ...press,
    sortBy: actions.sortBy,
    focus,
    scrollTo,
  };
}
