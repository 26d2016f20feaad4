// Check digits of tax IDs. All functions expect text without separators, in uppercase, with a valid length.

/** Value of a character: its digit, or its code minus 48 for a letter. */
const valueAt = (text: string, index: number): number => text.charCodeAt(index) - 48;

/** Returns the weighted sum of the first characters of a text, modulo `modulus`. */
const weighed = (text: string, weights: readonly number[], modulus: number): number =>
  weights.reduce((sum, weight, index) => sum + weight * valueAt(text, index), 0) % modulus;

const cuitWeights = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2];
const cnpjWeights = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];
const cpfWeights = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2];

/** Verifies the check digit of an Argentine CUIT with 11 digits. */
export const isCuit = (text: string): boolean =>
  (11 - weighed(text, cuitWeights, 11)) % 11 === valueAt(text, 10);

/** Verifies the check digit of a Peruvian RUC with 11 digits. The check values 10 and 11 are written as 0 and 1. */
export const isPeruvianRuc = (text: string): boolean =>
  (11 - weighed(text, cuitWeights, 11)) % 10 === valueAt(text, 10);

/** Verifies both check digits of a Brazilian tax ID. Rejects a tax ID whose characters are all identical. */
function hasBrazilianDigits(text: string, weights: readonly number[]): boolean {
  if (new Set(text).size === 1) return false;
  const digit = (rest: number): number => (rest < 2 ? 0 : 11 - rest);
  const place = text.length - 2;
  return (
    digit(weighed(text, weights.slice(1), 11)) === valueAt(text, place) &&
    digit(weighed(text, weights, 11)) === valueAt(text, place + 1)
  );
}

/** Verifies the check digits of an individual's CPF with 11 digits. */
export const isCpf = (text: string): boolean => hasBrazilianDigits(text, cpfWeights);

/** Verifies the check digits of a company's CNPJ, whose first 12 characters can be letters. */
export const isCnpj = (text: string): boolean => hasBrazilianDigits(text, cnpjWeights);

/** Verifies the check digit of a Uruguayan RUT with 12 digits. */
export const isUruguayanRut = (text: string): boolean =>
  (11 - weighed(text, [4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2], 11)) % 11 === valueAt(text, 11);

/** Verifies the check digit of a Uruguayan identity card with 7 or 8 digits. */
export function isUruguayanCi(text: string): boolean {
  const padded = text.padStart(8, '0');
  return (10 - weighed(padded, [2, 9, 8, 7, 6, 3, 4], 10)) % 10 === valueAt(padded, 7);
}

/** Verifies the check digit of a Chilean tax ID, calculated from the other digits from right to left. `K` means 10. */
export function isChilean(text: string): boolean {
  const digits = [...text.slice(0, -1)].reverse();
  const sum = digits.reduce((total, digit, index) => total + Number(digit) * (2 + (index % 6)), 0);
  const check = (11 - (sum % 11)) % 11;
  return text.endsWith(check === 10 ? 'K' : String(check));
}

/** Verifies the check digits of an Australian tax ID. The first digit is reduced by 1 before weighting. */
export function isAustralian(text: string): boolean {
  const lowered = `${valueAt(text, 0) - 1}${text.slice(1)}`;
  return text[0] !== '0' && weighed(lowered, [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19], 89) === 0;
}
