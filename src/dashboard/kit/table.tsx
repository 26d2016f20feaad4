import type { Key, ReactNode } from 'react';
import { cx } from './class-names.ts';
import styles from './table.module.css';

/** A column of a table: how to title it and what to show of a row. */
export type TableColumn<Row> = {
  readonly id: string;
  readonly title: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** `end` for numbers and amounts. */
  readonly align?: 'start' | 'end';
  /** What the column is worth on phones: `secondary` ones are left out there. */
  readonly priority?: 'primary' | 'secondary';
  /** What stands below it in the last row. */
  readonly total?: ReactNode;
};

type TableProps<Row> = {
  /** What the rows are, for readers. */
  readonly label: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => Key;
  /** Shown instead of rows where there are none. */
  readonly empty?: ReactNode;
  /** Details below a row, such as the reason of an invoice line. */
  readonly detail?: (row: Row) => ReactNode;
};

/** A plain table for few rows: lines, prices, members. Long lists use the Grid. */
export function Table<Row>({ label, columns, rows, rowKey, empty, detail }: TableProps<Row>) {
  const hasTotals = columns.some(({ total }) => total !== undefined);
  const cellClass = ({ align, priority }: TableColumn<Row>) =>
    cx(styles.cell, align === 'end' && styles.end, priority === 'secondary' && styles.secondary);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard.
    <section className={styles.scroller} aria-label={label} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.id} scope="col" className={cellClass(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const more = detail?.(row);
            return [
              <tr key={rowKey(row)} data-has-detail={Boolean(more) || undefined}>
                {columns.map((column) => (
                  <td key={column.id} className={cellClass(column)}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>,
              more ? (
                <tr key={`${rowKey(row)} detail`} className={styles.detail}>
                  <td colSpan={columns.length} className={styles.cell}>
                    {more}
                  </td>
                </tr>
              ) : null,
            ];
          })}
          {rows.length === 0 && (
            <tr>
              <td colSpan={columns.length} className={cx(styles.cell, styles.empty)}>
                {empty}
              </td>
            </tr>
          )}
        </tbody>
        {hasTotals && (
          <tfoot>
            <tr>
              {columns.map((column) => (
                <td key={column.id} className={cellClass(column)}>
                  {column.total}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </section>
  );
}
