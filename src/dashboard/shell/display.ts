import { base } from '../data/place.ts';
import { createStore } from '../data/store.ts';
import { type Language, language } from '../words/language.ts';
import type { Density, Theme } from './preferences.ts';

// Display settings. The service stores them for the user. Cookies and local storage contain a copy, so that the
// document is correct before the settings are loaded.

const yearS = 31_536_000;

function keep(name: string, value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: The server reads it with the document.
  document.cookie = `quittance-${name}=${value}; Path=${base}/; Max-Age=${yearS}; SameSite=Lax`;
}

const { dataset } = document.documentElement;

export const theme = createStore<Theme>((dataset['theme'] as Theme | undefined) ?? 'system');
export const density = createStore<Density>((dataset['density'] as Density | undefined) ?? 'compact');

export function chooseTheme(value: Theme): void {
  keep('theme', value);
  dataset['theme'] = value;
  theme.set(value);
}

export function chooseDensity(value: Density): void {
  keep('density', value);
  dataset['density'] = value;
  density.set(value);
}

/** Selected language. Differs from the document's language until it is saved. */
export const chosenLanguage = createStore<Language>(language);

/** Switches the language. Reloads the page if the document has another language. */
export function turnTo(value: Language): void {
  if (value === language) return;
  keep('language', value);
  location.reload();
}

/** Creates a Boolean setting that this browser stores. */
export function createSetting(name: string, initial: boolean) {
  const key = `quittance-${name}`;
  const store = createStore((localStorage.getItem(key) ?? String(initial)) === 'true');
  return {
    ...store,
    set: (value: boolean) => {
      localStorage.setItem(key, String(value));
      store.set(value);
    },
  };
}

/** True if the navigation shows only icons. */
export const isFolded = createSetting('folded', false);
/** True if keyboard shortcuts without Ctrl or ⌘ are enabled. */
export const hasShortcuts = createSetting('shortcuts', true);
