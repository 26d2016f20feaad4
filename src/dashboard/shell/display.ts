import { base } from '../data/place.ts';
import { createStore } from '../data/store.ts';
import { type Language, language } from '../words/language.ts';

// How the dashboard is shown, kept in cookies so that the first bytes of the document have it.

export type Theme = 'system' | 'light' | 'dark';
export type Density = 'compact' | 'cosy';

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

/** Turns to another language, which takes a reload. */
export function chooseLanguage(value: Language): void {
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
