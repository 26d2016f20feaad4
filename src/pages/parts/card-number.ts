// Recognizes and formats card field values: detects the brand by BIN, groups digits, and checks whether a value is complete.

export type CardBrand =
  | 'visa'
  | 'mastercard'
  | 'amex'
  | 'discover'
  | 'diners'
  | 'jcb'
  | 'unionpay'
  | 'maestro';

type Rule = {
  readonly brand: CardBrand;
  readonly start: RegExp;
  readonly lengths: readonly number[];
  /** Number of digits in each group except the last. */
  readonly groups: readonly number[];
  readonly cvcLength: number;
};

const fours = [4, 4, 4, 4] as const;

const rules: readonly Rule[] = [
  { brand: 'amex', start: /^3[47]/, lengths: [15], groups: [4, 6], cvcLength: 4 },
  { brand: 'diners', start: /^3(?:0[0-5]|[689])/, lengths: [14], groups: [4, 6], cvcLength: 3 },
  { brand: 'jcb', start: /^35(?:2[89]|[3-8])/, lengths: [16], groups: fours, cvcLength: 3 },
  { brand: 'visa', start: /^4/, lengths: [16, 13, 19], groups: fours, cvcLength: 3 },
  {
    brand: 'mastercard',
    start: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/,
    lengths: [16],
    groups: fours,
    cvcLength: 3,
  },
  { brand: 'discover', start: /^6(?:011|4[4-9]|5)/, lengths: [16, 19], groups: fours, cvcLength: 3 },
  { brand: 'unionpay', start: /^62/, lengths: [16, 17, 18, 19], groups: fours, cvcLength: 3 },
  { brand: 'maestro', start: /^(?:5[068]|6[37])/, lengths: [16, 18, 19], groups: fours, cvcLength: 3 },
];

/** Returns only the digits of a string. */
export const digitsOf = (text: string): string => text.replace(/\D/g, '');

const ruleOf = (digits: string): Rule | undefined => rules.find(({ start }) => start.test(digits));

/** Returns the brand of a complete or incomplete card number. `null` if the digits don't determine the brand. */
export const brandOf = (text: string): CardBrand | null => ruleOf(digitsOf(text))?.brand ?? null;

/** Returns the number of digits in the security code. 4 if the brand is unknown. */
export const cvcLengthOf = (number: string): number => ruleOf(digitsOf(number))?.cvcLength ?? 4;

/** Formats a card number in groups of digits, and truncates it to the maximum length for its brand. */
export function groupedNumber(text: string): string {
  const rule = ruleOf(digitsOf(text));
  const digits = digitsOf(text).slice(0, Math.max(...(rule?.lengths ?? [19])));
  const parts: string[] = [];
  let at = 0;
  for (const size of rule?.groups ?? fours) {
    if (at >= digits.length) break;
    parts.push(digits.slice(at, at + size));
    at += size;
  }
  if (at < digits.length) parts.push(digits.slice(at));
  return parts.join(' ');
}

/** True if the check digit of the card number is correct. */
function hasCheckDigit(digits: string): boolean {
  const sum = [...digits]
    .reverse()
    .map(Number)
    .map((digit, index) => (index % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2))
    .reduce((total, each) => total + each, 0);
  return sum % 10 === 0;
}

/** True if the card number has the most common length for its brand and a correct check digit. */
export function isWholeNumber(text: string): boolean {
  const digits = digitsOf(text);
  return digits.length === ruleOf(digits)?.lengths[0] && hasCheckDigit(digits);
}

/** Formats an expiry date during entry, such as `12/30`. After a deletion, the slash isn't added again. */
export function writtenExpiry(text: string, isDeletion = false): string {
  const [, autofilled = '', year = ''] = /^\s*(\d{1,2})\s*[/.-]\s*(?:20)?(\d{2})\s*$/.exec(text) ?? [];
  if (autofilled !== '') return `${autofilled.padStart(2, '0')}/${year}`;
  const digits = digitsOf(text);
  // A first digit from 2 to 9 is a complete month.
  const whole = /^[2-9]/.test(digits) ? `0${digits}` : digits;
  const [month, rest] = [whole.slice(0, 2), whole.slice(2, 4)];
  const isComplete = month.length === 2 && !isDeletion;
  return rest !== '' || (isComplete && text !== '') ? `${month}/${rest}` : month;
}

/** Parses the month and the four-digit year of an expiry date. An invalid month or year is 0. */
export function expiryOf(text: string): { expMonth: number; expYear: number } {
  const [, month = '', year = ''] = /^\s*(\d{1,2})\s*[/.-]?\s*(\d{4}|\d{2})\s*$/.exec(text) ?? [];
  return { expMonth: Number(month), expYear: year.length === 2 ? 2_000 + Number(year) : Number(year) };
}
