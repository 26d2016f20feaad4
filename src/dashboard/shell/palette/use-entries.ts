import { languageNames, languages } from '../../../domain/text/language.ts';
import { addressOf, plainPages } from '../../address.ts';
import { environment } from '../../data/place.ts';
import { useStore } from '../../data/store.ts';
import { useViewer } from '../../data/viewer.ts';
import { openAddress } from '../../router-address.ts';
import { useWords } from '../../words/words.ts';
import { chooseTheme, chosenLanguage } from '../display.ts';
import { isShortcutListOpen } from '../open-panels.ts';
import { usePageName } from '../page-name.ts';
import { isOpenTo } from '../sections.ts';
import { leave } from '../sign-out.ts';
import { switchEnvironment } from '../switch-environment.ts';
import type { PaletteEntry } from './entries.ts';

/** Returns an entry for each page without path parameters. */
export function usePageEntries(): readonly PaletteEntry[] {
  const words = useWords('titles');
  const where = useStore(environment);
  const { membership } = useViewer();
  return plainPages
    .filter(([, route]) => isOpenTo(route, membership.role, where))
    .map(([name, { group, shortcut }]) => ({
      id: `page ${name}`,
      label: words[name],
      ...(group === undefined ? {} : { words: words.groups[group], detail: words.groups[group] }),
      ...(shortcut === undefined ? {} : { keys: `g ${shortcut}` }),
      run: () => openAddress(addressOf(name)),
    }));
}

/** Returns the actions that are available on all pages. */
export function useCommandEntries(): readonly PaletteEntry[] {
  const words = useWords('shell');
  const where = useStore(environment);
  const page = usePageName();
  const other = where === 'live' ? 'sandbox' : 'live';
  return [
    {
      id: 'environment',
      label: words.palette.switchTo({ environment: words[other] }),
      run: () => switchEnvironment(other, page),
    },
    ...(['light', 'dark', 'system'] as const).map((theme) => ({
      id: `theme ${theme}`,
      label: `${words.theme}: ${words.themes[theme]}`,
      run: () => chooseTheme(theme),
    })),
    ...languages.map((language) => ({
      id: `language ${language}`,
      label: languageNames[language],
      words: words.language,
      run: () => chosenLanguage.set(language),
    })),
    { id: 'shortcuts', label: words.shortcuts, keys: '?', run: () => isShortcutListOpen.set(true) },
    { id: 'leave', label: words.signOut, run: () => void leave() },
  ];
}
