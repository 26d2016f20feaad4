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

/** How the dashboard is shown in this browser. */
const shown = (): Required<Preferences> => ({
  theme: theme.get(),
  density: density.get(),
  language: chosenLanguage.get(),
  hasShortcuts: hasShortcuts.get(),
  isFolded: isFolded.get(),
  hiddenColumns: hiddenColumns.get(),
});

/** Shows the dashboard as the person prefers it; what was never chosen stays as this browser has it. */
function adopt(kept: Preferences): void {
  if (kept.theme !== undefined) chooseTheme(kept.theme);
  if (kept.density !== undefined) chooseDensity(kept.density);
  if (kept.hasShortcuts !== undefined) hasShortcuts.set(kept.hasShortcuts);
  if (kept.isFolded !== undefined) isFolded.set(kept.isFolded);
  if (kept.hiddenColumns !== undefined) chooseHiddenColumns(kept.hiddenColumns);
  if (kept.language !== undefined) turnTo(kept.language);
}

const known = () => viewer.get()?.viewer.preferences;

/** Remembers what the service keeps now, for the next organization that is opened. */
function note(preferences: Preferences): void {
  const answer = viewer.get();
  if (answer !== null) viewer.set({ ...answer, viewer: { ...answer.viewer, preferences } });
}

/** Takes over what the service keeps of how the person likes the dashboard, and keeps there what is chosen afterwards, one choice after the other. */
export function useKeptPreferences(): void {
  const [keep] = useAction(ViewerPreferencesSetDocument);
  const textOf = useErrorText();
  const kept = useRef<string | null>(null);
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
    kept.current = JSON.stringify(shown());
    const listen = () => {
      const text = JSON.stringify(shown());
      if (text === kept.current) return;
      kept.current = text;
      queue.current = queue.current.then(() => send());
    };
    const ends = Object.values(stores).map(({ subscribe }) => subscribe(listen));
    return () => {
      for (const end of ends) end();
    };
  }, []);
}
