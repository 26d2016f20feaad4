// Exports the code that a page needs only after the first interaction. `lazy-code.ts` loads it.

export { BankAccountEntry, typedAccount } from '../parts/bank-account-entry.tsx';
export { BankQuestion } from '../parts/bank-question.tsx';
export {
  brandOf,
  cvcLengthOf,
  digitsOf,
  groupedNumber,
  isWholeNumber,
  writtenExpiry,
} from '../parts/card-number.ts';
export { Leaving } from '../parts/countdown.tsx';
export { PromoDetails } from '../parts/promo-details.tsx';
export { seatProblem } from '../parts/seat-number.ts';
export { checkTaxNumber } from '../parts/tax-number.ts';
export { isAboutPromoCode, promoSentence, sentenceOf } from '../sentences.ts';
export { marked, rejected } from './field-errors.ts';
export { mutate } from './idempotent-mutation.ts';
export { savedCard, typedCard } from './typed-card.ts';
