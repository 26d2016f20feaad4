import { useEffect, useEffectEvent, useRef } from 'react';
import { ApiError } from '../data/api-error.ts';
import { useAction } from '../data/hooks.ts';
import { ViewerPreferencesSetDocument } from '../data/session.graphql';
import { viewer } from '../data/viewer.ts';
import { language } from '../words/language.ts';
import {
  chooseDensity,
  chooseTheme,
  chosenLanguage,
  density,
  hasShortcuts,
  isFolded,
  theme,
  turnTo,
} from './display.ts';
import { useErrorText } from './error-text.ts';
import { chooseHiddenColumns, hiddenColumns } from './hidden-columns.ts';
import { notify } from './notices.ts';
import { type Preferences, preferencesFrom } from './preferences.ts';

const stores = { theme, density, language: chosenLanguage, hasShortcuts, isFolded, hiddenColumns };

/** Returns the display settings that this browser uses. */
const shown = (): Required<Preferences> => ({
  theme: theme.get(),
  density: density.get(),
  language: chosenLanguage.get(),
  hasShortcuts: hasShortcuts.get(),
  isFolded: isFolded.get(),
  hiddenColumns: hiddenColumns.get(),
});

/** Applies stored preferences. Settings that aren't stored keep this browser's values. */
function adopt(stored: Preferences): void {
  if (stored.theme !== undefined) chooseTheme(stored.theme);
  if (stored.density !== undefined) chooseDensity(stored.density);
  if (stored.hasShortcuts !== undefined) hasShortcuts.set(stored.hasShortcuts);
  if (stored.isFolded !== undefined) isFolded.set(stored.isFolded);
  if (stored.hiddenColumns !== undefined) chooseHiddenColumns(stored.hiddenColumns);
  if (stored.language !== undefined) turnTo(stored.language);
}

const known = () => viewer.get()?.viewer.preferences;

/** Updates the preferences in `viewer`, which are applied after switching to another organization. */
function note(preferences: Preferences): void {
  const answer = viewer.get();
  if (answer !== null) viewer.set({ ...answer, viewer: { ...answer.viewer, preferences } });
}

/** Applies the preferences that the service stores for the user, and sends later changes to the service in order. */
export function useKeptPreferences(): void {
  const [keep] = useAction(ViewerPreferencesSetDocument);
  const textOf = useErrorText();
  const lastSaved = useRef<string | null>(null);
  const queue = useRef(Promise.resolve());
  const send = useEffectEvent(async (): Promise<void> => {
    const preferences = { ...(known() as object | undefined), ...shown() };
    const result = await keep({ input: { preferences } });
    if (!(result instanceof ApiError)) {
      note(preferences);
      return turnTo(preferences.language);
    }
    notify(textOf(result), { tone: 'negative', requestId: result.requestId });
    chosenLanguage.set(language);
  });
  useEffect(() => {
    adopt(preferencesFrom(known()));
    lastSaved.current = JSON.stringify(shown());
    const listen = () => {
      const text = JSON.stringify(shown());
      if (text === lastSaved.current) return;
      lastSaved.current = text;
      queue.current = queue.current.then(() => send());
    };
    const ends = Object.values(stores).map(({ subscribe }) => subscribe(listen));
    return () => {
      for (const end of ends) end();
    };
  }, []);
}
