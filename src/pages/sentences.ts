import type { RejectionDetails } from './data/service.ts';
import type { Errors, Words } from './words/areas.ts';

// Error messages on customer pages.

/** Page and error messages, with the merchant's name. */
export type ErrorTexts = Words & Errors & { readonly merchant: string };

type Text = string | ((values: { readonly merchant: string }) => string);

/** Returns the text with the given key, such as an error code. */
function textOf(texts: Readonly<Record<string, Text>>, name: unknown, merchant: string): string | undefined {
  const text = typeof name === 'string' && Object.hasOwn(texts, name) ? texts[name] : undefined;
  return typeof text === 'function' ? text({ merchant }) : text;
}

const memberOf = (details: unknown, name: string): unknown =>
  typeof details === 'object' && details !== null ? (details as Record<string, unknown>)[name] : undefined;

/** Returns the message for a field's validation error. */
export const fieldSentence = (words: ErrorTexts, name: string): string =>
  textOf(words.problems, name, words.merchant) ?? words.codes.validation_error;

/** Returns the message for a rejected request. */
export function sentenceOf(
  words: ErrorTexts,
  { code, details }: Pick<RejectionDetails, 'code' | 'details'>,
): string {
  const declineCode = memberOf(details, 'declineCode');
  if (declineCode !== undefined) return textOf(words.declines, declineCode, words.merchant) ?? words.declined;
  const reason = textOf(words.reasons, memberOf(details, 'reason'), words.merchant);
  if (code === 'charge_failed' || code === 'payment_failed') return reason ?? words.declined;
  return reason ?? textOf(words.codes, code, words.merchant) ?? words.unknownError;
}

/** Returns the message for a rejected promo code. */
export function promoSentence(
  words: ErrorTexts,
  { code, details }: Pick<RejectionDetails, 'code' | 'details'>,
): string {
  if (code === 'promo_code_not_found') return words.promoReasons.unknown;
  return textOf(words.promoReasons, memberOf(details, 'reason'), words.merchant) ?? words.problems.promoCode;
}

/** True if the service rejected the promo code. */
export const isAboutPromoCode = ({ code, param }: RejectionDetails): boolean =>
  code === 'promo_code_not_found' || param === 'promoCode';
