import type { ReactNode } from 'react';
import styles from './fact-list.module.css';

export type Fact = {
  readonly label: ReactNode;
  readonly value: ReactNode;
  /** Small button next to the value, such as a copy or edit button. */
  readonly action?: ReactNode;
};

type FactListProps = {
  /** Facts to list. `false`, `null` and `undefined` are omitted. */
  readonly items: readonly (Fact | false | null | undefined)[];
  /**
   * Layout: `rows` shows labels on the left, `sums` also aligns amounts on the right, `stacked` shows labels above values, `grid` shows facts next to
   * each other.
   */
  readonly look?: 'rows' | 'sums' | 'stacked' | 'grid';
};

/** List of an object's fields: labels with values. */
export const FactList = ({ items, look = 'rows' }: FactListProps) => (
  <dl className={styles.list} data-look={look}>
    {items.map(
      (item, index) =>
        item && (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have a fixed place.
          <div key={index} className={styles.item}>
            <dt className={styles.label}>{item.label}</dt>
            <dd className={styles.value}>
              {item.value ?? '–'}
              {item.action}
            </dd>
          </div>
        ),
    )}
  </dl>
);
