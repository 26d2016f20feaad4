import ChevronsUpDownIcon from 'lucide-react/icons/chevrons-up-down';
import SearchIcon from 'lucide-react/icons/search';
import { initialsOf } from '../../ui/format/names.ts';
import { environment } from '../data/place.ts';
import { useStore } from '../data/store.ts';
import { useViewer } from '../data/viewer.ts';
import { KeyHint } from '../kit/key-hint.tsx';
import { PlainButton } from '../kit/plain-button.tsx';
import { useWords } from '../words/words.ts';
import { AccountMenu } from './account-menu.tsx';
import { isFolded } from './display.ts';
import { LazyMenu } from './lazy-menu.tsx';
import { Mark } from './mark.tsx';
import { Navigation } from './navigation.tsx';
import { isPaletteOpen } from './open-panels.ts';
import { organizationGroups } from './organization-menu.ts';
import { usePageName } from './page-name.ts';
import styles from './sidebar.module.css';

/** Menu that shows the current organization and environment, and switches to others. */
export function PlaceMenu({ isSmall = false }: { readonly isSmall?: boolean }) {
  const words = useWords('shell');
  const { membership, memberships } = useViewer();
  const where = useStore(environment);
  const page = usePageName();
  return (
    <LazyMenu
      className={styles.place}
      label={words.place({ organization: membership.organizationName, environment: words[where] })}
      isSmall={isSmall}
      groups={organizationGroups({ words, membership, memberships, where, page })}
    >
      <span className={styles.mark} aria-hidden="true">
        {initialsOf(membership.organizationName)}
      </span>
      {!isSmall && (
        <>
          <span className={styles.names}>
            <span className={styles.name}>{membership.organizationName}</span>
            <span className={styles.environment} data-environment={where}>
              {words[where]}
            </span>
          </span>
          <ChevronsUpDownIcon aria-hidden="true" />
        </>
      )}
    </LazyMenu>
  );
}

/** Sidebar: organization, search, navigation, account, product. */
export function Side() {
  const words = useWords('shell');
  const folded = useStore(isFolded);
  return (
    <div className={styles.side} data-folded={folded || undefined}>
      <PlaceMenu isSmall={folded} />
      {folded ? (
        <PlainButton
          kind="quiet"
          label={words.search}
          icon={<SearchIcon />}
          onPress={() => isPaletteOpen.set(true)}
        />
      ) : (
        <button type="button" className={styles.search} onClick={() => isPaletteOpen.set(true)}>
          <SearchIcon aria-hidden="true" />
          <span className={styles.searchText}>{words.search}</span>
          <KeyHint keys="Mod K" />
        </button>
      )}
      <div className={styles.pages}>
        <Navigation isFolded={folded} />
      </div>
      <AccountMenu isSmall={folded} />
      <footer className={styles.product}>
        <Mark size={16} />
        {!folded && words.product}
      </footer>
    </div>
  );
}
