import { describe, expect, it } from 'vitest';
import { errorCodes } from '../../src/domain/errors/error-codes.ts';
import { schema } from '../../src/schema.ts';
import { rootFields } from '../support/fields.ts';
import { messagesIn } from '../support/messages.ts';

type Sentences = {
  readonly sentenceOf: (words: unknown, rejection: { code: string; details?: unknown }) => string;
};

// The import path is computed because the server's compiler doesn't include browser code.
const ofPages = (await import(`../../src/pages/${'sentences'}.ts`)) as Sentences;
type Text = string | ((values: { readonly merchant: string }) => string);

/** Messages of all hosted pages, including error messages. */
const wordsOf = (language: 'en' | 'es' | 'pt-BR'): unknown => ({
  ...messagesIn('pages', language, 'common'),
  ...messagesIn('pages', language, 'errors'),
  merchant: 'Acme',
});
/** Error messages that exist only in the portal. */
const portalCodesOf = (language: 'en' | 'es' | 'pt-BR'): Readonly<Record<string, Text>> =>
  messagesIn('pages', language, 'portal').codes;
const [english, spanish, portuguese] = [wordsOf('en'), wordsOf('es'), wordsOf('pt-BR')];
const portalCodes = {
  English: portalCodesOf('en'),
  Spanish: portalCodesOf('es'),
  Portuguese: portalCodesOf('pt-BR'),
};

const voices = {
  English: (rejection: { code: string; details?: unknown }) => ofPages.sentenceOf(english, rejection),
  Spanish: (rejection: { code: string; details?: unknown }) => ofPages.sentenceOf(spanish, rejection),
  Portuguese: (rejection: { code: string; details?: unknown }) => ofPages.sentenceOf(portuguese, rejection),
};

/** Error codes in the descriptions of operations called by the portal or the other pages. */
function codesOfPages(isPortal: boolean): string[] {
  const roots = [schema.getQueryType(), schema.getMutationType()].map((type) => type?.getFields() ?? {});
  const pages = rootFields
    .filter(({ access, name }) => 'page' in access && name.startsWith('portal') === isPortal)
    .map(({ name }) => name);
  const described = pages.flatMap((name) => roots.map((fields) => fields[name]?.description ?? ''));
  const words = described.flatMap((text) => [...text.matchAll(/`(\w+)`/g)].map(([, word = '']) => word));
  return [...new Set(words)].filter((word) => word in errorCodes).sort();
}

describe.each(Object.entries(voices))("the payers' error message catalog: %s", (voice, sentenceOf) => {
  const unknown = sentenceOf({ code: 'none' });
  // Errors for which the promo code field has its own messages.
  const beside = new Set(['promo_code_not_found', 'promo_code_expired']);

  it.each(codesOfPages(false).filter((code) => !beside.has(code)))(
    'has a specific message for %s',
    (code) => {
      const sentence = sentenceOf({ code });
      expect(sentence).not.toBe(unknown);
      expect(sentence).toMatch(/^[A-ZÁÉÍÓÚ][^_`]+\.$/);
    },
  );

  it.each(codesOfPages(true))('has a specific portal message for %s', (code) => {
    const own = portalCodes[voice as keyof typeof portalCodes][code];
    const sentence = (typeof own === 'function' ? own({ merchant: 'Acme' }) : own) ?? sentenceOf({ code });
    expect(sentence).not.toBe(unknown);
    expect(sentence).toMatch(/^[A-ZÁÉÍÓÚ][^_`]+\.$/);
  });

  it('explains why a charge was declined, and has a general message if the reason is unknown', () => {
    expect(sentenceOf({ code: 'charge_failed', details: { declineCode: 'insufficient_funds' } })).toBe(
      {
        English: 'The card has insufficient funds. Use another card.',
        Spanish: 'La tarjeta no tiene fondos suficientes. Usa otra tarjeta.',
        Portuguese: 'O cartão não tem saldo suficiente. Use outro cartão.',
      }[voice],
    );
    expect(sentenceOf({ code: 'payment_failed', details: { declineCode: 'do_not_honor' } })).toBe(
      {
        English: 'The payment was declined. Try again or use another card.',
        Spanish: 'El pago se ha rechazado. Inténtalo de nuevo o usa otra tarjeta.',
        Portuguese: 'O pagamento foi recusado. Tente de novo ou use outro cartão.',
      }[voice],
    );
  });
});
