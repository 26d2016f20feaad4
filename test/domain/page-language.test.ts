import { describe, expect, test } from 'vitest';
import { acceptedLanguages, pageLanguage } from '../../src/domain/pages/page-language.ts';

const both = ['en', 'es'] as const;
const all = [...both, 'pt_BR'] as const;

describe('the language of a page', () => {
  test.each([
    ['the language of the link', { link: 'es-MX', session: 'en', customer: 'en', organization: 'en' }, 'es'],
    ['the language of the session', { link: 'fr', session: 'es', customer: 'en', organization: 'en' }, 'es'],
    [
      'the language of the customer',
      { session: null, customer: 'es', organization: 'en', browser: 'en' },
      'es',
    ],
    ['the language of the organization', { customer: null, organization: 'es', browser: 'en' }, 'es'],
    ['the language of the browser', { browser: 'fr;q=0.9, es-AR;q=0.8, en;q=0.7' }, 'es'],
    ['the first supported language', { link: 'fr', browser: 'de' }, 'en'],
  ] as const)('comes from the first available source: %s', (_whose, sources, language) => {
    expect(pageLanguage(sources, both)).toBe(language);
  });

  test.each([
    ['pt-BR', 'pt_BR'],
    ['pt_BR', 'pt_BR'],
    ['pt', 'pt_BR'],
    ['pt-PT', 'pt_BR'],
    ['PT-br', 'pt_BR'],
    ['ptx', 'en'],
    ['es-419', 'es'],
  ] as const)('is derived from the link %s: %s', (link, language) => {
    expect(pageLanguage({ link }, ['en', ...all])).toBe(language);
  });

  test('is always a supported language', () => {
    expect(pageLanguage({ link: 'en', customer: 'en', browser: 'es' }, ['es'])).toBe('es');
    expect(pageLanguage({ link: 'en' }, ['es'])).toBe('es');
    expect(pageLanguage({}, [])).toBe('en');
  });
});

test.each([
  ['es-ES,es;q=0.9,en;q=0.8', ['es', 'en']],
  ['en;q=0.1, es;q=0.2', ['es', 'en']],
  ['fr, en;q=0', []],
  ['EN_gb', ['en']],
  ['pt-BR,pt;q=0.9,en-US;q=0.8', ['pt_BR', 'en']],
  ['', []],
  [null, []],
] as const)('the Accept-Language header %j is parsed as %j', (header, languages) => {
  expect(acceptedLanguages(header)).toEqual(languages);
});
