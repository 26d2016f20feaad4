import MenuIcon from 'lucide-react/icons/menu';
import SearchIcon from 'lucide-react/icons/search';
import { addressOf, plainPages } from '../address.ts';
import { useStore } from '../data/store.ts';
import { lazyPart } from '../kit/lazy-part.tsx';
import { useWords } from '../words/words.ts';
import { icons } from './icons.tsx';
import { isPaletteOpen, isPhoneMenuOpen } from './open-panels.ts';
import { PageLink } from './page-link.tsx';
import { usePageName } from './page-name.ts';
import styles from './phone-bar.module.css';

/** Pages with their own button: the first three pages with an icon. */
const direct = plainPages.filter(([, { icon }]) => icon !== undefined).slice(0, 3);

const PhoneMenu = lazyPart(() => import('./phone-menu.tsx').then((module) => module.default));

/** Bar at the bottom of the page on phones: the main pages, search, and a menu with all other pages. */
export function PhoneBar() {
  const words = useWords('shell');
  const names = useWords('titles');
  const current = usePageName();
  const isOpen = useStore(isPhoneMenuOpen);
  return (
    <>
      <nav aria-label={words.menu} className={styles.bar}>
        {direct.map(([name, { icon }]) => (
          <PageLink key={name} href={addressOf(name)} className={styles.entry} isCurrent={current === name}>
            <span aria-hidden="true">{icon !== undefined && icons[icon]}</span>
            <span>{names[name]}</span>
          </PageLink>
        ))}
        <button type="button" className={styles.entry} onClick={() => isPaletteOpen.set(true)}>
          <SearchIcon aria-hidden="true" />
          <span>{words.search}</span>
        </button>
        <button type="button" className={styles.entry} onClick={() => isPhoneMenuOpen.set(true)}>
          <MenuIcon aria-hidden="true" />
          <span>{words.more}</span>
        </button>
      </nav>
      {isOpen && <PhoneMenu />}
    </>
  );
}
