import type { ReactNode } from 'react';
import styles from './diff.module.css';
import { useKit } from './provider.tsx';
import { Hidden } from './text.tsx';

/** Changed value with its label. `null` means that there's no value. */
export type DiffItem = {
  readonly id: string;
  readonly label: ReactNode;
  readonly before: ReactNode;
  readonly after: ReactNode;
};

/** List of changed values, one per line: the old value struck through, then the new value. */
export function Diff({ items }: { readonly items: readonly DiffItem[] }) {
  const { words } = useKit();
  return (
    <dl className={styles.list}>
      {items.map(({ id, label, before, after }) => (
        <div key={id} className={styles.item}>
          <dt className={styles.label}>{label}</dt>
          <dd className={styles.values}>
            {before !== null && (
              <del className={styles.before}>
                <Hidden>{words.before} </Hidden>
                {before}
              </del>
            )}
            {after !== null && (
              <ins className={styles.after}>
                <Hidden>{words.after} </Hidden>
                {after}
              </ins>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
