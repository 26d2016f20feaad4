import { acceptedLanguages } from '../domain/pages/page-language.ts';
import { type Language, languages } from '../domain/text/language.ts';
import type { RequestHeaders } from '../request/authenticate.ts';

export type Display = {
  readonly language: Language;
  readonly theme: 'system' | 'light' | 'dark';
  readonly density: 'compact' | 'cosy';
};

const themes = ['system', 'light', 'dark'] as const;
const densities = ['compact', 'cosy'] as const;

/** Returns the value of a preference cookie. `null` if the cookie is missing or its value isn't allowed. */
function cookie<Value extends string>(
  text: string,
  name: string,
  values: readonly [Value, ...Value[]],
): Value | null {
  const [, found] = new RegExp(`(?:^|;\\s*)${name}=([^;]*)`).exec(text) ?? [];
  return values.find((value) => value === found) ?? null;
}

/**
 * Returns the visitor's display preferences from cookies. Defaults to the browser's language, the system theme, and
 * compact density.
 */
export function displayOf(headers: Pick<RequestHeaders, 'get'>): Display {
  const text = headers.get('cookie') ?? '';
  return {
    language:
      cookie(text, 'quittance-language', languages) ??
      acceptedLanguages(headers.get('accept-language'))[0] ??
      'en',
    theme: cookie(text, 'quittance-theme', themes) ?? 'system',
    density: cookie(text, 'quittance-density', densities) ?? 'compact',
  };
}
