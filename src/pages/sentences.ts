import type { RejectionDetails } from './data/service.ts';
import type { Errors } from './words/areas.ts';
import type { Words } from './words/en.ts';

// What a payer reads about an error.

/** What is said about errors. */
export type Sayings = Words & Errors;

/** A text by a name that comes from outside. */
const textOf = (texts: Readonly<Record<string, string>>, name: unknown): string | undefined =>
  typeof name === 'string' && Object.hasOwn(texts, name) ? texts[name] : undefined;

const memberOf = (details: unknown, name: string): unknown =>
  typeof details === 'object' && details !== null ? (details as Record<string, unknown>)[name] : undefined;

/** What to do about a field. */
export const fieldSentence = (words: Sayings, name: string): string =>
  textOf(words.problems, name) ?? words.codes.validation_error;

/** What a payer reads about a rejection by the service. */
export function sentenceOf(
  words: Sayings,
  { code, details }: Pick<RejectionDetails, 'code' | 'details'>,
): string {
  const declineCode = memberOf(details, 'declineCode');
  if (declineCode !== undefined) return textOf(words.declines, declineCode) ?? words.declined;
  const reason = textOf(words.reasons, memberOf(details, 'reason'));
  if (code === 'charge_failed' || code === 'payment_failed') return reason ?? words.declined;
  return reason ?? textOf(words.codes, code) ?? words.unknownError;
}

/** What a payer reads about a promo code that cannot be used. */
export function promoSentence(
  words: Sayings,
  { code, details }: Pick<RejectionDetails, 'code' | 'details'>,
): string {
  if (code === 'promo_code_not_found') return words.promoReasons.unknown;
  return textOf(words.promoReasons, memberOf(details, 'reason')) ?? words.problems.promoCode;
}

/** Whether a rejection is about the promo code. */
export const isAboutPromoCode = ({ code, param }: RejectionDetails): boolean =>
  code === 'promo_code_not_found' || param === 'promoCode';
