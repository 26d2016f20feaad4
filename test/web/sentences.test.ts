import { describe, expect, it } from 'vitest';
import { errorCodes } from '../../src/domain/error-codes.ts';
import { schema } from '../../src/schema.ts';
import { rootFields } from '../support/fields.ts';

type Sentences = {
  readonly sentenceOf: (words: unknown, rejection: { code: string; details?: unknown }) => string;
};

// Code of browsers, which the compiler of the server knows nothing of.
const paths = {
  pages: '../../src/pages/sentences.ts',
  en: '../../src/pages/words/en.ts',
  es: '../../src/pages/words/es.ts',
};
/** What pages say about errors, loaded once something is done. */
const errorPaths = {
  en: '../../src/pages/words/errors/en.ts',
  es: '../../src/pages/words/errors/es.ts',
};
/** What the portal says of codes that it alone meets. */
const portalPaths = {
  en: '../../src/pages/words/portal/en.ts',
  es: '../../src/pages/words/portal/es.ts',
};
const ofPages = (await import(paths.pages)) as Sentences;
type Worded = { readonly words: { readonly codes: Readonly<Record<string, string>> } };
const wordsOf = async (language: 'en' | 'es'): Promise<unknown> => ({
  ...((await import(paths[language])) as Worded).words,
  ...((await import(errorPaths[language])) as Worded).words,
});
const portalCodesOf = async (language: 'en' | 'es'): Promise<Readonly<Record<string, string>>> =>
  ((await import(portalPaths[language])) as Worded).words.codes;
const [english, spanish] = [await wordsOf('en'), await wordsOf('es')];
const portalCodes = { English: await portalCodesOf('en'), Spanish: await portalCodesOf('es') };

const voices = {
  English: (rejection: { code: string; details?: unknown }) => ofPages.sentenceOf(english, rejection),
  Spanish: (rejection: { code: string; details?: unknown }) => ofPages.sentenceOf(spanish, rejection),
};

/** The codes the descriptions of what the portal calls speak of, or of what the other pages call. */
function codesOfPages(isPortal: boolean): string[] {
  const roots = [schema.getQueryType(), schema.getMutationType()].map((type) => type?.getFields() ?? {});
  const pages = rootFields
    .filter(({ access, name }) => 'page' in access && name.startsWith('portal') === isPortal)
    .map(({ name }) => name);
  const described = pages.flatMap((name) => roots.map((fields) => fields[name]?.description ?? ''));
  const words = described.flatMap((text) => [...text.matchAll(/`(\w+)`/g)].map(([, word = '']) => word));
  return [...new Set(words)].filter((word) => word in errorCodes).sort();
}

describe.each(Object.entries(voices))('what payers are told: %s', (voice, sentenceOf) => {
  const unknown = sentenceOf({ code: 'none' });
  // Said beside the field for promo codes.
  const beside = new Set(['promo_code_not_found', 'promo_code_expired']);

  it.each(codesOfPages(false).filter((code) => !beside.has(code)))('%s is a sentence of its own', (code) => {
    const sentence = sentenceOf({ code });
    expect(sentence).not.toBe(unknown);
    expect(sentence).toMatch(/^[A-ZÁÉÍÓÚ][^_`]+\.$/);
  });

  it.each(codesOfPages(true))('%s is a sentence of its own in the portal', (code) => {
    const sentence = portalCodes[voice as keyof typeof portalCodes][code] ?? sentenceOf({ code });
    expect(sentence).not.toBe(unknown);
    expect(sentence).toMatch(/^[A-ZÁÉÍÓÚ][^_`]+\.$/);
  });

  it('declines are told by their reason, and others as a decline', () => {
    expect(sentenceOf({ code: 'charge_failed', details: { declineCode: 'insufficient_funds' } })).toBe(
      voice === 'Spanish'
        ? 'La tarjeta no tiene fondos suficientes. Usa otra tarjeta.'
        : 'The card has insufficient funds. Use another card.',
    );
    expect(sentenceOf({ code: 'payment_failed', details: { declineCode: 'do_not_honor' } })).toBe(
      voice === 'Spanish'
        ? 'El pago se ha rechazado. Inténtalo de nuevo o usa otra tarjeta.'
        : 'The payment was declined. Try again or use another card.',
    );
  });
});
