import type { RequestHeaders } from '../authenticate.ts';
import { acceptedLanguages } from '../domain/page-language.ts';

/** How a person wants pages shown. */
export type Display = {
  readonly language: 'en' | 'es';
  readonly theme: 'system' | 'light' | 'dark';
  readonly density: 'compact' | 'cosy';
};

const languages = ['en', 'es'] as const;
const themes = ['system', 'light', 'dark'] as const;
const densities = ['compact', 'cosy'] as const;

/** The value of a cookie among those a page may set; the first of the values when it is none of them. */
function cookie<Value extends string>(
  text: string,
  name: string,
  values: readonly [Value, ...Value[]],
): Value | null {
  const [, found] = new RegExp(`(?:^|;\\s*)${name}=([^;]*)`).exec(text) ?? [];
  return values.find((value) => value === found) ?? null;
}

/** How the person who asks wants pages shown: as chosen before in this browser, else as the browser says. */
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
