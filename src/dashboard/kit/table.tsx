import type { Key, ReactNode } from 'react';
import { cx } from './class-names.ts';
import styles from './table.module.css';

export type TableColumn<Row> = {
  readonly id: string;
  readonly title: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** `end` aligns numbers and amounts to the right. */
  readonly align?: 'start' | 'end';
  /** `secondary` columns are hidden on phones. */
  readonly priority?: 'primary' | 'secondary';
  /** Content of the total row in this column. */
  readonly total?: ReactNode;
};

type TableProps<Row> = {
  readonly label: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => Key;
  readonly empty?: ReactNode;
  /** Details below a row, such as the explanation of an invoice line item. */
  readonly detail?: (row: Row) => ReactNode;
};

/** Plain table for a few rows, such as line items, prices or members. Use `Grid` for long lists. */
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
