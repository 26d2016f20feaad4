// Codes that payers scan or copy: Pix codes, boleto lines, and payment references.
import { dayMs } from '../../time/period.ts';

/** Field of a Pix code: ID, length, and value. */
const field = (id: string, value: string): string => `${id}${String(value.length).padStart(2, '0')}${value}`;

/** Returns the checksum of a Pix code (CRC-16/CCITT-FALSE) as 4 hexadecimal digits. */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (const char of text) {
    crc ^= char.charCodeAt(0) << 8;
    for (let bit = 0; bit < 8; bit++)
      crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

/** Returns a text in capital letters without accents and other characters, cut to a length. */
const plain = (text: string, length: number): string =>
  text
    .normalize('NFD')
    .replace(/[^A-Za-z0-9 ]/g, '')
    .toUpperCase()
    .slice(0, length)
    .trim();

/** Details of a Pix charge. */
export type PixCharge = {
  /** Pix key of the recipient. */
  readonly key: string;
  readonly recipient: string;
  readonly city: string;
  readonly amountMinor: bigint;
  /** ID of the charge. Only letters and digits are used, up to 25. */
  readonly id: string;
};

/** Returns the Pix code of a charge in Brazilian reais (EMV merchant-presented mode), which is also the content of the QR code. */
export function pixCode({ key, recipient, city, amountMinor, id }: PixCharge): string {
  const amount = `${amountMinor / 100n}.${String(amountMinor % 100n).padStart(2, '0')}`;
  const body = [
    field('00', '01'),
    field('26', field('00', 'br.gov.bcb.pix') + field('01', key)),
    field('52', '0000'),
    field('53', '986'),
    field('54', amount),
    field('58', 'BR'),
    field('59', plain(recipient, 25) || 'MERCHANT'),
    field('60', plain(city, 15)),
    field('62', field('05', id.replace(/[^A-Za-z0-9]/g, '').slice(-25))),
    '6304',
  ].join('');
  return body + crc16(body);
}

/** Returns the check digit of a group of a boleto line (modulo 10, weights 2 and 1 from the right). */
function mod10(digits: string): number {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const product = Number(digits[digits.length - 1 - index]) * (index % 2 === 0 ? 2 : 1);
    sum += product > 9 ? product - 9 : product;
  }
  return (10 - (sum % 10)) % 10;
}

/** Returns the check digit of a boleto barcode (modulo 11, weights 2 to 9 from the right). */
function mod11(digits: string): number {
  let sum = 0;
  for (let index = 0; index < digits.length; index++)
    sum += Number(digits[digits.length - 1 - index]) * (2 + (index % 8));
  const digit = 11 - (sum % 11);
  return digit > 9 ? 1 : digit;
}

/** Day with the due factor 1000. Factors start again at 1000 after 9999. */
const factorDay = Date.UTC(2025, 1, 22);

/** Details of a boleto. */
export type Boleto = {
  readonly amountMinor: bigint;
  /** Due date, at 00:00 UTC. */
  readonly dueDate: Date;
  /** ID of the charge, from which the free field of the barcode is derived. */
  readonly id: string;
};

/** Code of the simulated bank. */
const bankCode = '999';

/** Returns the line of a boleto with 47 digits. */
export function boletoLine({ amountMinor, dueDate, id }: Boleto): string {
  const days = Math.floor((dueDate.getTime() - factorDay) / dayMs);
  const factor = 1000 + (((days % 9000) + 9000) % 9000);
  const tail = `${factor}${String(amountMinor).padStart(10, '0')}`;
  const free = [...id]
    .map((char) => String(char.charCodeAt(0) % 10))
    .join('')
    .slice(-25)
    .padStart(25, '0');
  const check = mod11(`${bankCode}9${tail}${free}`);
  const groups = [`${bankCode}9${free.slice(0, 5)}`, free.slice(5, 15), free.slice(15)];
  return `${groups.map((group) => `${group}${mod10(group)}`).join('')}${check}${tail}`;
}

/** Returns the digits of a text in which letters stand for 10 to 35. */
const inDigits = (text: string): string => text.replace(/[A-Z]/g, (char) => String(char.charCodeAt(0) - 55));

/** Returns the payment reference of an invoice: `RF`, two check digits, and the invoice number (ISO 11649). */
export function paymentReference(invoiceNumber: string): string {
  const plainNumber = invoiceNumber.toUpperCase().replace(/[^A-Z0-9]/g, '');
  const check = 98n - (BigInt(inDigits(`${plainNumber}RF00`)) % 97n);
  return `RF${String(check).padStart(2, '0')}${plainNumber}`;
}

/** Returns true if a text is a payment reference with correct check digits. */
export const isPaymentReference = (text: string): boolean =>
  /^RF\d{2}[A-Z0-9]{1,21}$/.test(text) &&
  BigInt(inDigits(`${text.slice(4)}${text.slice(0, 4)}`)) % 97n === 1n;
