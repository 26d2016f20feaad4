// What is typed into the fields of a card: brands by their first digits, digits in groups, whether enough stands there.

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
  /** Digits of each group but the last. */
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

/** The digits of a text. */
export const digitsOf = (text: string): string => text.replace(/\D/g, '');

const ruleOf = (digits: string): Rule | undefined => rules.find(({ start }) => start.test(digits));

/** The brand of a card number as far as it is typed; null while its digits do not tell. */
export const brandOf = (text: string): CardBrand | null => ruleOf(digitsOf(text))?.brand ?? null;

/** How many digits the security code of a card has; 4 while the brand is not known. */
export const cvcLengthOf = (number: string): number => ruleOf(digitsOf(number))?.cvcLength ?? 4;

/** A card number in the groups it is printed in, with no more digits than its brand has. */
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

/** Whether the check digit of a card number is right. */
function hasCheckDigit(digits: string): boolean {
  const sum = [...digits]
    .reverse()
    .map(Number)
    .map((digit, index) => (index % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2))
    .reduce((total, each) => total + each, 0);
  return sum % 10 === 0;
}

/** Whether a card number has the length its brand mostly has, and its check digit. */
export function isWholeNumber(text: string): boolean {
  const digits = digitsOf(text);
  return digits.length === ruleOf(digits)?.lengths[0] && hasCheckDigit(digits);
}

/** An expiry date as it is typed, with its slash: `12/30`. A slash that was just deleted does not come back. */
export function writtenExpiry(text: string, isDeletion = false): string {
  const [, autofilled = '', year = ''] = /^\s*(\d{1,2})\s*[/.-]\s*(?:20)?(\d{2})\s*$/.exec(text) ?? [];
  if (autofilled !== '') return `${autofilled.padStart(2, '0')}/${year}`;
  const digits = digitsOf(text);
  // A month that begins with 2 to 9 has one digit.
  const whole = /^[2-9]/.test(digits) ? `0${digits}` : digits;
  const [month, rest] = [whole.slice(0, 2), whole.slice(2, 4)];
  const isComplete = month.length === 2 && !isDeletion;
  return rest !== '' || (isComplete && text !== '') ? `${month}/${rest}` : month;
}

/** The month and the four-digit year of an expiry date; 0 for what cannot be read. */
export function expiryOf(text: string): { expMonth: number; expYear: number } {
  const [, month = '', year = ''] = /^\s*(\d{1,2})\s*[/.-]?\s*(\d{4}|\d{2})\s*$/.exec(text) ?? [];
  return { expMonth: Number(month), expYear: year.length === 2 ? 2_000 + Number(year) : Number(year) };
}
