import { fieldSentence, isAboutPromoCode, promoSentence, type Sayings, sentenceOf } from '../sentences.ts';
import type { RejectionDetails } from './service.ts';
import { complaint, type State } from './step-state.ts';
import { fieldAt, fieldElement } from './typed.ts';

const declines: readonly string[] = ['charge_failed', 'payment_failed'];

const isArray = (value: unknown): value is readonly { readonly field: string }[] => Array.isArray(value);

/** What is wrong with fields of the page, the first of them focused; what is about none of them is said at the button. */
function placed(
  said: Sayings,
  fields: readonly string[],
  problems: readonly (readonly [field: string, text: string])[],
): Partial<State> {
  const known = problems.filter(([name]) => fields.includes(name) && fieldElement(name) !== null);
  const [first] = fields.filter((name) => known.some(([each]) => each === name));
  return {
    problems: Object.fromEntries(known),
    ...(known.length < problems.length ? complaint(said.codes.validation_error) : {}),
    ...(first === undefined ? {} : { focus: { id: first } }),
  };
}

/** What is wrong with fields before anything is sent. */
export const marked = (said: Sayings, fields: readonly string[], names: readonly string[]): Partial<State> =>
  placed(
    said,
    fields,
    names.map((name) => [name, fieldSentence(said, name)] as const),
  );

/** What is said about a rejection by the service. */
export function rejected(said: Sayings, fields: readonly string[], error: RejectionDetails): Partial<State> {
  if (isAboutPromoCode(error)) return placed(said, fields, [['promoCode', promoSentence(said, error)]]);
  const details = error.code === 'validation_error' && isArray(error.details) ? error.details : [];
  return details.length === 0
    ? { ...complaint(sentenceOf(said, error)), isDeclined: declines.includes(error.code) }
    : marked(
        said,
        fields,
        details.map(({ field }) => fieldAt(field)),
      );
}
