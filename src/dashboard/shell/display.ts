import { base } from '../data/place.ts';
import { createStore } from '../data/store.ts';
import { type Language, language } from '../words/language.ts';
import type { Density, Theme } from './preferences.ts';

// How the dashboard is shown. The service keeps it for the person; cookies and the storage of the browser have a copy, so that the first bytes of the
// document are right.

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

/** The language that was chosen, which differs from that of the document until it is kept. */
export const chosenLanguage = createStore<Language>(language);

/** Turns to a language, which takes a reload where the document has another one. */
export function turnTo(value: Language): void {
  if (value === language) return;
  keep('language', value);
  location.reload();
}

/** A choice of yes or no that stays in this browser. */
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

/** Whether the navigation shows icons only. */
export const isFolded = createSetting('folded', false);
/** Whether keys without Ctrl or ⌘ are shortcuts. */
export const hasShortcuts = createSetting('shortcuts', true);
