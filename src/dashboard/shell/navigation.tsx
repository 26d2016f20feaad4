import ChevronDownIcon from 'lucide-react/icons/chevron-down';
import { useState } from 'react';
import { addressOf, type PageName, type PlainPageName, plainPages, routeOf } from '../address.ts';
import { environment } from '../data/place.ts';
import { useStore } from '../data/store.ts';
import { useViewer } from '../data/viewer.ts';
import type { Group } from '../page-route.ts';
import { useWords } from '../words/words.ts';
import { attentionCounts } from './attention.ts';
import { groupIcon, icons } from './icons.tsx';
import { LazyMenu } from './lazy-menu.tsx';
import styles from './navigation.module.css';
import { PageLink } from './page-link.tsx';
import { usePageName } from './page-name.ts';
import { type Entry, sectionsOf } from './sections.ts';

/** Returns the page whose navigation entry is highlighted: the current page, or its parent. */
function useMarked(): PageName | null {
  const name = usePageName();
  return name === null ? null : ((routeOf(name).parent as PageName | undefined) ?? name);
}

/** Returns the number of items that need attention on the given pages. */
function useCount(pages: readonly PlainPageName[]): number {
  const counts = useStore(attentionCounts);
  return pages.reduce((sum, name) => sum + (counts[name] ?? 0), 0);
}

/** Maximum number to display. Higher numbers are shown as 999+. */
const maxCounted = 999;

/**
 * Badge with the number of items that need attention, or a dot if the navigation is collapsed. Screen readers read the
 * number.
 */
function Counter({ count, isFolded = false }: { readonly count: number; readonly isFolded?: boolean }) {
  const words = useWords('shell');
  if (count === 0) return null;
  if (isFolded) return <span className={styles.dot} />;
  return (
    <span className={styles.counter}>
      {count > maxCounted ? `${maxCounted}+` : count}
      <span className={styles.forReaders}> {words.needAttention({ count })}</span>
    </span>
  );
}

type ItemProps = { readonly entry: Entry; readonly isFolded: boolean };

function Item({ entry: { name, route }, isFolded }: ItemProps) {
  const title = useWords('titles')[name];
  const marked = useMarked();
  const count = useCount([name]);
  const link = (
    <PageLink
      href={addressOf(name)}
      className={styles.entry}
      isCurrent={marked === name}
      label={isFolded ? title : undefined}
    >
      {route.icon !== undefined && <span aria-hidden="true">{icons[route.icon]}</span>}
      {!isFolded && <span className={styles.text}>{title}</span>}
      <Counter count={count} isFolded={isFolded} />
    </PageLink>
  );
  return <li title={isFolded ? title : undefined}>{link}</li>;
}

type GroupProps = { readonly group: Group; readonly pages: readonly Entry[]; readonly isFolded: boolean };

function GroupItem({ group, pages, isFolded }: GroupProps) {
  const words = useWords('titles');
  const marked = useMarked();
  const isMarked = pages.some(({ name }) => name === marked);
  const [isChosen, setChosen] = useState<boolean | null>(null);
  const isOpen = isChosen ?? isMarked;
  const count = useCount(pages.map(({ name }) => name));
  const title = words.groups[group];
  if (isFolded)
    return (
      <li>
        <LazyMenu
          className={styles.entry}
          label={title}
          isSmall
          isMarked={isMarked}
          groups={[
            {
              title,
              items: pages.map(({ name }) => ({
                id: name,
                label: words[name],
                href: addressOf(name),
              })),
            },
          ]}
        >
          <span aria-hidden="true">{groupIcon(group)}</span>
          <Counter count={count} isFolded />
        </LazyMenu>
      </li>
    );
  return (
    <li>
      <button
        type="button"
        className={styles.entry}
        aria-expanded={isOpen}
        data-open={isOpen || undefined}
        data-marked={(isMarked && !isOpen) || undefined}
        onClick={() => setChosen(!isOpen)}
      >
        <span aria-hidden="true">{groupIcon(group)}</span>
        <span className={styles.text}>{title}</span>
        {!isOpen && <Counter count={count} />}
        <ChevronDownIcon className={styles.chevron} aria-hidden="true" />
      </button>
      {isOpen && (
        <ul className={styles.pages}>
          {pages.map((entry) => (
            <Item key={entry.name} entry={entry} isFolded={false} />
          ))}
        </ul>
      )}
    </li>
  );
}

/** Grouped navigation with the pages that the user's role can open. */
export function Navigation({ isFolded = false }: { readonly isFolded?: boolean }) {
  const words = useWords('shell');
  const where = useStore(environment);
  const { membership } = useViewer();
  return (
    <nav aria-label={words.navigation}>
      <ul className={styles.list}>
        {sectionsOf(plainPages, membership.role, where).map((each) =>
          'group' in each ? (
            <GroupItem key={each.group} {...each} isFolded={isFolded} />
          ) : (
            <Item key={each.name} entry={each} isFolded={isFolded} />
          ),
        )}
      </ul>
    </nav>
  );
}
