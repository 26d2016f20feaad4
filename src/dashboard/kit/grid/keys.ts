// Keyboard actions of a grid, as a pure function of the grid's state. The grid executes the returned action.

/** Position of the active cell. Row -1 is the header. */
export type Place = { readonly row: number; readonly column: number };

export type GridShape = {
  readonly rows: number;
  readonly columns: number;
  /** Number of rows that PageUp and PageDown move by. */
  readonly page: number;
  readonly hasLetters: boolean;
};

export type GridKey = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

export type GridAction =
  | { readonly kind: 'move'; readonly to: Place; readonly selects: boolean }
  | { readonly kind: 'open' | 'select' | 'menu' | 'sort' | 'clear' };

const limited = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value));

/** Returns the cell that a key moves to. `null` if the key doesn't move the active cell. */
function target(key: GridKey, { row, column }: Place, { rows, columns, page }: GridShape): Place | null {
  const whole = key.ctrlKey || key.metaKey;
  const last = columns - 1;
  switch (key.key) {
    case 'ArrowDown':
      return { row: whole ? rows - 1 : row + 1, column };
    case 'ArrowUp':
      return { row: whole ? 0 : row - 1, column };
    case 'ArrowRight':
      return { row, column: whole ? last : column + 1 };
    case 'ArrowLeft':
      return { row, column: whole ? 0 : column - 1 };
    case 'Home':
      return whole ? { row: 0, column: 0 } : { row, column: 0 };
    case 'End':
      return whole ? { row: rows - 1, column: last } : { row, column: last };
    case 'PageDown':
      return { row: Math.max(row, 0) + page, column };
    case 'PageUp':
      return { row: Math.max(row - page, 0), column };
    default:
      return null;
  }
}

const letters: Readonly<Record<string, GridAction['kind'] | 'down' | 'up'>> = {
  j: 'down',
  k: 'up',
  o: 'open',
  x: 'select',
  '.': 'menu',
};

/** Returns the action for a key. `null` for keys that the grid doesn't handle. */
export function gridAction(key: GridKey, at: Place, shape: GridShape): GridAction | null {
  if (key.altKey) return null;
  const move = (to: Place, selects: boolean): GridAction => ({
    kind: 'move',
    to: { row: limited(to.row, -1, shape.rows - 1), column: limited(to.column, 0, shape.columns - 1) },
    selects,
  });
  const to = target(key, at, shape);
  if (to !== null) return move(to, key.shiftKey && (key.key === 'ArrowDown' || key.key === 'ArrowUp'));
  if (key.key === 'Enter') return { kind: at.row < 0 ? 'sort' : 'open' };
  if (key.key === ' ') return { kind: at.row < 0 ? 'sort' : 'select' };
  if (key.key === 'Escape') return { kind: 'clear' };
  if (key.ctrlKey || key.metaKey || !shape.hasLetters) return null;
  const letter = letters[key.key];
  if (letter === 'down') return move({ row: at.row + 1, column: at.column }, false);
  if (letter === 'up') return move({ row: Math.max(at.row - 1, 0), column: at.column }, false);
  return letter === undefined || at.row < 0 ? null : ({ kind: letter } as GridAction);
}
