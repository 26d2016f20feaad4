import type { ReactNode } from 'react';
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from 'react-aria-components/Tabs';
import { type TabItem, tabLabel } from './link-tabs.tsx';
import styles from './tabs.module.css';

type TabsProps = {
  readonly label: string;
  readonly items: readonly (TabItem & { readonly content: ReactNode })[];
  readonly selected?: string;
  readonly onSelect?: (id: string) => void;
};

/** Tabs with their panels, only one of which is visible. The page stores the selected tab, usually in the URL. */
export const Tabs = ({ label: name, items, selected, onSelect }: TabsProps) => (
  <AriaTabs
    className={styles.tabs ?? ''}
    {...(selected !== undefined && { selectedKey: selected })}
    onSelectionChange={(key) => onSelect?.(String(key))}
  >
    <TabList className={styles.list ?? ''} aria-label={name}>
      {items.map((item) => (
        <Tab key={item.id} id={item.id} className={styles.tab ?? ''}>
          {tabLabel(item)}
        </Tab>
      ))}
    </TabList>
    {items.map(({ id, content }) => (
      <TabPanel key={id} id={id} className={styles.panel ?? ''}>
        {content}
      </TabPanel>
    ))}
  </AriaTabs>
);
