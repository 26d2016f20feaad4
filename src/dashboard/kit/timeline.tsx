import type { ReactNode } from 'react';
import styles from './timeline.module.css';
import type { Tone } from './tone.ts';
import { RelativeTime } from './values.tsx';

export type TimelineItem = {
  readonly id: string;
  readonly at: string;
  /** Sentence that describes the event. */
  readonly title: ReactNode;
  readonly detail?: ReactNode;
  /** Person or system that caused the event. */
  readonly actor?: ReactNode;
  readonly tone?: Tone;
  readonly icon?: ReactNode;
};

/** List of events, newest first. */
export const Timeline = ({ items }: { readonly items: readonly TimelineItem[] }) => (
  <ol className={styles.list}>
    {items.map(({ id, at, title, detail, actor, tone = 'neutral', icon }) => (
      <li key={id} className={styles.item}>
        <span className={styles.mark} data-tone={tone} aria-hidden="true">
          {icon}
        </span>
        <div className={styles.body}>
          <div className={styles.title}>{title}</div>
          {detail !== undefined && <div className={styles.detail}>{detail}</div>}
          <div className={styles.meta}>
            <RelativeTime at={at} />
            {actor !== undefined && <span>{actor}</span>}
          </div>
        </div>
      </li>
    ))}
  </ol>
);
