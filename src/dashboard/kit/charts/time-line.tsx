import type { CSSProperties } from 'react';
import { dateText, dateTimeText, shortDateText } from '../../../ui/format/dates.ts';
import { useKit } from '../provider.tsx';
import type { Tone } from '../tone.ts';
import styles from './time-line.module.css';

type TimeMark = {
  readonly id: string;
  readonly at: string;
  readonly label: string;
  readonly tone?: Tone;
};

type TimeLineProps = {
  /** Name of the period, such as "Current period". */
  readonly label: string;
  readonly from: string;
  readonly until: string;
  readonly marks?: readonly TimeMark[];
};

/** Progress bar for a period, filled up to the current time and with marks for events. */
export function TimeLine({ label, from, until, marks = [] }: TimeLineProps) {
  const kit = useKit();
  const [start, end] = [new Date(from).getTime(), new Date(until).getTime()];
  const shareOf = (instant: number) => Math.max(0, Math.min(1, (instant - start) / Math.max(1, end - start)));
  const place = (instant: number) => ({ '--share': `${shareOf(instant) * 100}%` }) as CSSProperties;
  const inside = marks
    .filter(({ at }) => new Date(at).getTime() >= start && new Date(at).getTime() <= end)
    .sort((a, b) => a.at.localeCompare(b.at));
  return (
    <div className={styles.timeLine}>
      <div className={styles.timeEnds}>
        <span>{dateText(from, kit)}</span>
        <span>{label}</span>
        <span>{dateText(until, kit)}</span>
      </div>
      <div className={styles.timeBar} aria-hidden="true">
        <span className={styles.timePast} style={place(kit.now().getTime())} />
        {inside.map(({ id, at, tone = 'neutral', label: name }) => (
          <span
            key={id}
            className={styles.timeMark}
            data-tone={tone}
            title={`${name}, ${dateTimeText(at, kit)}`}
            style={place(new Date(at).getTime())}
          />
        ))}
      </div>
      {inside.length > 0 && (
        <ul className={styles.timeList}>
          {inside.map(({ id, at, label: name, tone = 'neutral' }) => (
            <li key={id} className={styles.timeItem}>
              <span className={styles.timeKey} data-tone={tone} aria-hidden="true" />
              {name}
              <time dateTime={at}>{shortDateText(at, kit)}</time>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
