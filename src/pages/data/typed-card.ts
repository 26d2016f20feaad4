import { digitsOf, expiryOf } from '../parts/card-number.ts';
import { typed } from './typed.ts';

/** The card as the service wants it. */
export const typedCard = () => ({
  number: digitsOf(typed('number')),
  ...expiryOf(typed('expiry')),
  cvc: typed('cvc'),
});
