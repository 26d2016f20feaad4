import { type ErrorTexts, fieldSentence, isAboutPromoCode, promoSentence, sentenceOf } from '../sentences.ts';
import { complaint, type State } from './action-state.ts';
import { fieldAt, fieldElement } from './field-values.ts';
import { needsState, type RejectionDetails } from './service.ts';

const declines: readonly string[] = ['charge_failed', 'payment_failed'];

const isArray = (value: unknown): value is readonly { readonly field: string }[] => Array.isArray(value);

/** Assigns errors to their fields and focuses the first field. All other errors are combined into one message next to the button. */
function placed(
  texts: ErrorTexts,
  fields: readonly string[],
  problems: readonly (readonly [field: string, text: string])[],
): Partial<State> {
  const known = problems.filter(([name]) => fields.includes(name) && fieldElement(name) !== null);
  const [first] = fields.filter((name) => known.some(([each]) => each === name));
  return {
    problems: Object.fromEntries(known),
    ...(known.length < problems.length ? complaint(texts.codes.validation_error) : {}),
    ...(first === undefined ? {} : { focus: { id: first } }),
  };
}

/** Returns the page state for fields that fail validation before a request is sent. */
export const marked = (
  texts: ErrorTexts,
  fields: readonly string[],
  names: readonly string[],
): Partial<State> =>
  placed(
    texts,
    fields,
    names.map((name) => [name, fieldSentence(texts, name)] as const),
  );

/** Returns the page state after a rejected request. */
export function rejected(
  texts: ErrorTexts,
  fields: readonly string[],
  error: RejectionDetails,
): Partial<State> {
  if (isAboutPromoCode(error)) return placed(texts, fields, [['promoCode', promoSentence(texts, error)]]);
  if (needsState(error)) return placed(texts, fields, [['state', texts.reasons.tax_not_computed]]);
  const details = error.code === 'validation_error' && isArray(error.details) ? error.details : [];
  return details.length === 0
    ? { ...complaint(sentenceOf(texts, error)), isDeclined: declines.includes(error.code) }
    : marked(
        texts,
        fields,
        details.map(({ field }) => fieldAt(field)),
      );
}
