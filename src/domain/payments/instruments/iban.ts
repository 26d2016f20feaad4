/** Returns an account number without spaces and hyphens, in uppercase. */
export const compactNumber = (text: string): string => text.replace(/[\s-]/g, '').toUpperCase();

/** Returns true if a text is an IBAN with correct check digits (ISO 13616). Spaces are ignored. */
export function isIban(text: string): boolean {
  const compact = compactNumber(text);
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(compact)) return false;
  const digits = `${compact.slice(4)}${compact.slice(0, 4)}`.replace(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  );
  let rest = 0;
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97;
  return rest === 1;
}

/** Returns true if a text is a US routing number with a correct check digit. */
export function isRoutingNumber(text: string): boolean {
  const digits = compactNumber(text);
  if (!/^\d{9}$/.test(digits)) return false;
  const sum = [...digits].reduce(
    (total, digit, index) => total + Number(digit) * ([3, 7, 1][index % 3] ?? 0),
    0,
  );
  return sum % 10 === 0;
}
