import { describe, expect, it } from 'vitest';
import { errorCodes } from '../../src/domain/error-codes.ts';
import { schema } from '../../src/schema.ts';
import { rootFields } from '../support/fields.ts';

type Sentences = { readonly sentenceOf: (rejection: { code: string; details?: unknown }) => string };

// A script of the pages, which the compiler of the server knows nothing of.
const path = '../../src/web/assets/sentences.js';
const { sentenceOf } = (await import(path)) as Sentences;

/** The codes the descriptions of what pages call speak of. */
function codesOfPages(): string[] {
  const roots = [schema.getQueryType(), schema.getMutationType()].map((type) => type?.getFields() ?? {});
  const pages = rootFields.filter(({ access }) => 'page' in access).map(({ name }) => name);
  const described = pages.flatMap((name) => roots.map((fields) => fields[name]?.description ?? ''));
  const words = described.flatMap((text) => [...text.matchAll(/`(\w+)`/g)].map(([, word = '']) => word));
  return [...new Set(words)].filter((word) => word in errorCodes).sort();
}

describe('what payers are told', () => {
  const unknown = sentenceOf({ code: 'none' });
  // Said beside the field for promo codes.
  const beside = new Set(['promo_code_not_found', 'promo_code_expired']);

  it.each(codesOfPages().filter((code) => !beside.has(code)))('%s is a sentence of its own', (code) => {
    const sentence = sentenceOf({ code });
    expect(sentence).not.toBe(unknown);
    expect(sentence).toMatch(/^[A-Z][^_`]+\.$/);
  });

  it('declines are told by their reason, and others as a decline', () => {
    expect(sentenceOf({ code: 'charge_failed', details: { declineCode: 'insufficient_funds' } })).toBe(
      'The card has insufficient funds. Use another card.',
    );
    expect(sentenceOf({ code: 'payment_failed', details: { declineCode: 'do_not_honor' } })).toBe(
      'The payment was declined. Try again or use another card.',
    );
  });
});
