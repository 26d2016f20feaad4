// What a page needs once something is done on it. `late.ts` loads it with the first touch of the page.

export { BankQuestion } from '../parts/bank-question.tsx';
export {
  brandOf,
  cvcLengthOf,
  digitsOf,
  groupedNumber,
  isWholeNumber,
  writtenExpiry,
} from '../parts/card-number.ts';
export { isAboutPromoCode, promoSentence, sentenceOf } from '../sentences.ts';
export { marked, rejected } from './complaints.ts';
export { once } from './once.ts';
export { savedCard, typedCard } from './typed-card.ts';
