import type { ReactNode } from 'react';
import { Link as AriaLink } from 'react-aria-components/Link';
import styles from './tabs.module.css';

export type TabItem = {
  readonly id: string;
  readonly label: ReactNode;
  /** Formatted count, shown after the label. */
  readonly count?: string;
};

export const tabLabel = ({ label: text, count }: Omit<TabItem, 'id'>) => (
  <>
    {text}
    {count !== undefined && <span className={styles.count}>{count}</span>}
  </>
);

type LinkTabsProps = {
  readonly label: string;
  readonly items: readonly (TabItem & { readonly href: string })[];
  readonly selected: string;
};

/** Links in the style of tabs, each with its own URL. */
export const LinkTabs = ({ label: name, items, selected }: LinkTabsProps) => (
  <nav aria-label={name} className={styles.list}>
    {items.map((item) => (
      <AriaLink
        key={item.id}
        href={item.href}
        className={styles.tab ?? ''}
        data-selected={item.id === selected || undefined}
        {...(item.id === selected && { 'aria-current': 'page' as const })}
      >
        {tabLabel(item)}
      </AriaLink>
    ))}
  </nav>
);
