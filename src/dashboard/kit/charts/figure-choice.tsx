import type { ReactNode } from 'react';
import { Link as AriaLink } from 'react-aria-components/Link';
import styles from './figure-choice.module.css';

type FigureItem = {
  readonly id: string;
  readonly label: string;
  readonly value: ReactNode;
  /** Change from the previous period, and its previous value. */
  readonly note?: ReactNode;
  readonly href: string;
};

type FigureChoiceProps = {
  readonly label: string;
  readonly items: readonly FigureItem[];
  readonly selected: string;
};

/** Row of metrics, one of which is shown in the chart below. */
export const FigureChoice = ({ label, items, selected }: FigureChoiceProps) => (
  <nav aria-label={label} className={styles.row}>
    {items.map((item) => (
      <AriaLink
        key={item.id}
        href={item.href}
        className={styles.figure ?? ''}
        data-selected={item.id === selected || undefined}
        {...(item.id === selected && { 'aria-current': 'true' as const })}
      >
        <span className={styles.label}>{item.label}</span>
        <span className={styles.value}>{item.value}</span>
        <span className={styles.note}>{item.note}</span>
      </AriaLink>
    ))}
  </nav>
);
