import { describe, expect, it } from 'vitest';
import {
  brandOf,
  cvcLengthOf,
  expiryOf,
  groupedNumber,
  isWholeNumber,
  writtenExpiry,
} from '../../src/pages/parts/card-number.ts';

describe('a card number', () => {
  it.each([
    ['4242424242424242', '4242 4242 4242 4242', 'visa', 3],
    ['5555-5555 55554444', '5555 5555 5555 4444', 'mastercard', 3],
    ['2223003122003222', '2223 0031 2200 3222', 'mastercard', 3],
    ['378282246310005', '3782 822463 10005', 'amex', 4],
    ['30569309025904', '3056 930902 5904', 'diners', 3],
    ['3566002020360505', '3566 0020 2036 0505', 'jcb', 3],
    ['6011111111111117', '6011 1111 1111 1117', 'discover', 3],
    ['6200000000000005', '6200 0000 0000 0005', 'unionpay', 3],
  ])('typed as %s is shown as %s, with the brand %s', (typed, written, brand, cvc) => {
    expect([groupedNumber(typed), brandOf(typed), cvcLengthOf(typed)]).toEqual([written, brand, cvc]);
    expect([groupedNumber(written), isWholeNumber(written)]).toEqual([written, true]);
  });

  it("is grouped while it's typed, and limited to the number of digits of its brand", () => {
    expect(['4', '42424', '37828', 'x', ''].map(groupedNumber)).toEqual(['4', '4242 4', '3782 8', '', '']);
    expect(groupedNumber('378282246310005999')).toBe('3782 822463 10005');
    expect([brandOf('9'), brandOf(''), cvcLengthOf('9')]).toEqual([null, null, 4]);
  });

  it('is complete if its length and check digit are valid', () => {
    expect(['4242 4242 4242 424', '4242 4242 4242 4241', ''].map(isWholeNumber)).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe('an expiry date', () => {
  it.each([
    ['1', '1'],
    ['12', '12/'],
    ['123', '12/3'],
    ['1230', '12/30'],
    ['3', '03/'],
    ['3/28', '03/28'],
    ['12/2030', '12/30'],
    ['12 / 30', '12/30'],
  ])('typed as %s is shown as %s', (typed, written) => {
    expect(writtenExpiry(typed)).toBe(written);
  });

  it("doesn't add the slash again if the payer deletes it", () => {
    expect([writtenExpiry('12', true), writtenExpiry('', true)]).toEqual(['12', '']);
  });

  it('is parsed into a month and a four-digit year', () => {
    expect(['12/30', '1/2031', '0630', 'x'].map(expiryOf)).toEqual([
      { expMonth: 12, expYear: 2_030 },
      { expMonth: 1, expYear: 2_031 },
      { expMonth: 6, expYear: 2_030 },
      { expMonth: 0, expYear: 0 },
    ]);
  });
});
