import { Link as AriaLink } from 'react-aria-components/Link';
import styles from './segments.module.css';

type SegmentsProps = {
  readonly label: string;
  readonly items: readonly { readonly id: string; readonly label: string; readonly href: string }[];
  readonly selected: string;
};

/** Connected links that select one of a few options, such as a period. */
export const Segments = ({ label, items, selected }: SegmentsProps) => (
  <nav aria-label={label} className={styles.segments}>
    {items.map((item) => (
      <AriaLink
        key={item.id}
        href={item.href}
        className={styles.segment ?? ''}
        {...(item.id === selected && { 'aria-current': 'true' as const })}
      >
        {item.label}
      </AriaLink>
    ))}
  </nav>
);
