import type { ReactNode } from 'react';
import styles from './activity-list.module.css';
import { RelativeTime } from './values.tsx';

export type ActivityItem = {
  readonly id: string;
  readonly at: string;
  /** Avatar of the person. Without an avatar, the list shows a dot. */
  readonly mark?: ReactNode;
  readonly who?: ReactNode;
  /** Sentence that describes the event. */
  readonly what: ReactNode;
};

/** List of events with the people they concern, newest first. */
export const ActivityList = ({ items }: { readonly items: readonly ActivityItem[] }) => (
  <ol className={styles.list}>
    {items.map(({ id, at, mark, who, what }) => (
      <li key={id} className={styles.item}>
        <span className={styles.mark}>{mark}</span>
        <div className={styles.body}>
          {who !== undefined && <div>{who}</div>}
          <div className={styles.what}>{what}</div>
        </div>
        <span className={styles.when}>
          <RelativeTime at={at} />
        </span>
      </li>
    ))}
  </ol>
);
