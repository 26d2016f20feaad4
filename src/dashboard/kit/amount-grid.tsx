import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from 'react';
import styles from './amount-grid.module.css';
import { cellsOf } from './copied-range.ts';

/** Cell of the grid: its text, and whether the value is derived instead of typed. */
export type AmountCell = {
  readonly text: string;
  readonly isDerived: boolean;
  /** True if the cell is currently read-only. */
  readonly isLocked?: boolean;
};

type AmountRow = {
  readonly id: string;
  readonly title: string;
  readonly help?: string;
  readonly cells: readonly AmountCell[];
};

/** New text for the cell at a position. */
type AmountChange = { readonly row: number; readonly column: number; readonly text: string };

type AmountGridProps = {
  readonly label: string;
  /** Title of the column with the row titles. */
  readonly corner: string;
  readonly columns: readonly { readonly id: string; readonly title: string }[];
  readonly rows: readonly AmountRow[];
  /** True if the cell accepts the text. */
  readonly check: (row: number, column: number, text: string) => boolean;
  /** Called with the typed or pasted text when the cell loses focus. Empty text clears the amount. */
  readonly onChange: (changes: readonly AmountChange[]) => void;
};

type Draft = { readonly row: number; readonly column: number; readonly text: string };

const moves: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  Enter: [1, 0],
};

/**
 * Grid of amounts that is edited like a spreadsheet: arrow keys and `Enter` move, `Escape` discards the typed text, and a pasted range fills the
 * cells starting at the focused cell. Derived values are gray.
 */
export function AmountGrid({ label, corner, columns, rows, check, onChange }: AmountGridProps) {
  const [draft, setDraft] = useState<Draft | null>(null);
  const table = useRef<HTMLTableElement>(null);
  const focusAt = (row: number, column: number) =>
    table.current?.querySelector<HTMLInputElement>(`[data-place="${row} ${column}"]`)?.focus();
  const commit = () => {
    if (draft === null) return;
    if (check(draft.row, draft.column, draft.text)) onChange([draft]);
    setDraft(null);
  };
  const press = (event: KeyboardEvent<HTMLInputElement>, row: number, column: number) => {
    if (event.key === 'Escape') setDraft(null);
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    focusAt(row + move[0], column + move[1]);
  };
  const paste = (event: ClipboardEvent, row: number, column: number) => {
    const range = cellsOf(event.clipboardData.getData('text/plain'));
    if (range.length === 1 && range[0]?.length === 1) return;
    event.preventDefault();
    const changes = range.flatMap((cells, y) =>
      cells.map((text, x) => ({ row: row + y, column: column + x, text })),
    );
    onChange(
      changes.filter(
        (change) =>
          change.text !== '' &&
          rows[change.row]?.cells[change.column]?.isLocked !== true &&
          check(change.row, change.column, change.text),
      ),
    );
    setDraft(null);
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard.
    <section className={styles.scroller} aria-label={label} tabIndex={0}>
      <table ref={table} className={styles.table}>
        <thead>
          <tr>
            <th scope="col" className={styles.corner}>
              {corner}
            </th>
            {columns.map(({ id, title }) => (
              <th key={id} scope="col" className={styles.title}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, title, help, cells }, row) => (
            <tr key={id}>
              <th scope="row" className={styles.name}>
                {title}
                {help !== undefined && <span className={styles.help}>{help}</span>}
              </th>
              {cells.map(({ text, isDerived, isLocked = false }, column) => {
                const isTyping = draft?.row === row && draft.column === column;
                const shown = isTyping ? draft.text : text;
                const isWrong = isTyping && !check(row, column, shown);
                return (
                  <td key={columns[column]?.id ?? column} className={styles.cell}>
                    <input
                      className={styles.input}
                      data-place={`${row} ${column}`}
                      data-derived={(isDerived && !isTyping) || undefined}
                      aria-label={`${title}, ${columns[column]?.title ?? ''}`}
                      aria-invalid={isWrong || undefined}
                      inputMode="decimal"
                      autoComplete="off"
                      disabled={isLocked}
                      value={shown}
                      onChange={(event) => setDraft({ row, column, text: event.target.value })}
                      onFocus={(event) => event.target.select()}
                      onBlur={commit}
                      onKeyDown={(event) => press(event, row, column)}
                      onPaste={(event) => paste(event, row, column)}
                    />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
