import { languageNames, languages } from '../../domain/text/language.ts';
import { initialsOf } from '../../ui/format/names.ts';
import { addressOf } from '../address.ts';
import { useStore } from '../data/store.ts';
import { useViewer } from '../data/viewer.ts';
import { useWords } from '../words/words.ts';
import { chooseDensity, chooseTheme, chosenLanguage, density, hasShortcuts, theme } from './display.ts';
import { LazyMenu } from './lazy-menu.tsx';
import { isShortcutListOpen } from './open-panels.ts';
import styles from './sidebar.module.css';
import { leave } from './sign-out.ts';

const themes = ['system', 'light', 'dark'] as const;
const densities = ['compact', 'cosy'] as const;

/** Menu with the account and display settings of the signed-in user. */
export function AccountMenu({ isSmall = false }: { readonly isSmall?: boolean }) {
  const words = useWords('shell');
  const { name, email } = useViewer();
  const chosen = { theme: useStore(theme), density: useStore(density), language: useStore(chosenLanguage) };
  const areKeysOn = useStore(hasShortcuts);
  return (
    <LazyMenu
      className={styles.place}
      label={words.account({ name })}
      isSmall={isSmall}
      groups={[
        {
          title: words.theme,
          items: themes.map((each) => ({
            id: `theme-${each}`,
            label: words.themes[each],
            isChecked: chosen.theme === each,
            onAction: () => chooseTheme(each),
          })),
        },
        {
          title: words.density,
          items: densities.map((each) => ({
            id: `density-${each}`,
            label: words.densities[each],
            isChecked: chosen.density === each,
            onAction: () => chooseDensity(each),
          })),
        },
        {
          title: words.language,
          items: languages.map((each) => ({
            id: each,
            label: languageNames[each],
            isChecked: chosen.language === each,
            onAction: () => chosenLanguage.set(each),
          })),
        },
        {
          title: words.keyboard,
          items: [
            {
              id: 'keys',
              label: words.letterShortcuts,
              isChecked: areKeysOn,
              onAction: () => hasShortcuts.set(!areKeysOn),
            },
            {
              id: 'list',
              label: words.shortcuts,
              keys: '?',
              onAction: () => isShortcutListOpen.set(true),
            },
            { id: 'settings', label: words.accountSettings, href: addressOf('account') },
            { id: 'leave', label: words.signOut, onAction: () => void leave() },
          ],
        },
      ]}
    >
      <span className={styles.person} aria-hidden="true">
        {initialsOf(name)}
      </span>
      {!isSmall && (
        <span className={styles.names}>
          <span className={styles.name}>{name}</span>
          <span className={styles.environment}>{email}</span>
        </span>
      )}
    </LazyMenu>
  );
}
