import { describe, expect, it, test } from 'vitest';
import { payableUntil } from '../../../src/domain/payments/instruments/expiry.ts';
import {
  boletoLine,
  crc16,
  isPaymentReference,
  paymentReference,
  pixCode,
} from '../../../src/domain/payments/instruments/payment-codes.ts';
import { instrumentOf } from '../../../src/domain/payments/instruments/registry.ts';

describe('a Pix code', () => {
  it('has the checksum of the example of the Brazilian central bank', () => {
    const example =
      '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***6304';
    expect(crc16(example)).toBe('1D3D');
  });

  it('contains the amount, the recipient without accents, and the ID', () => {
    const code = pixCode({
      key: 'k@x.test',
      recipient: 'Padaria São João & Filhos Ltda',
      city: 'São Paulo',
      amountMinor: 8_990n,
      id: 'txn_01J-abc',
    });
    expect(code).toMatch(
      /^00020126300014br\.gov\.bcb\.pix0108k@x\.test520400005303986540589\.905802BR5924PADARIA SAO JOAO {2}FILHOS6009SAO PAULO62130509txn01Jabc6304[0-9A-F]{4}$/,
    );
    expect(code.slice(-4)).toBe(crc16(code.slice(0, -4)));
  });
});

describe('a boleto line', () => {
  const line = boletoLine({ amountMinor: 8_990n, dueDate: new Date('2027-05-06'), id: 'txn_1' });

  it('has 47 digits with the due factor and the amount at the end', () => {
    expect(line).toMatch(/^\d{47}$/);
    expect(line.slice(33)).toBe('18030000008990');
  });

  test.each([
    [0, 10],
    [10, 21],
    [21, 32],
  ])('has a correct check digit in the group from %s to %s', (from, to) => {
    const digits = [...line.slice(from, to)].map(Number);
    const check = digits.pop();
    const sum = digits.toReversed().reduce((total, digit, index) => {
      const product = digit * (index % 2 === 0 ? 2 : 1);
      return total + Math.floor(product / 10) + (product % 10);
    }, 0);
    expect((sum + (check ?? 0)) % 10).toBe(0);
  });

  it('starts the due factor again at 1000', () => {
    const of = (date: string): string =>
      boletoLine({ amountMinor: 1n, dueDate: new Date(date), id: 'a' }).slice(33, 37);
    expect([of('2025-02-22'), of('2049-10-13'), of('2049-10-14')]).toEqual(['1000', '9999', '1000']);
  });
});

test('a payment reference has the check digits of ISO 11649', () => {
  expect(paymentReference('INV-0042')).toBe('RF97INV0042');
  expect(['RF97INV0042', 'RF18539007547034'].map(isPaymentReference)).toEqual([true, true]);
  expect(['RF98INV0042', 'RF97INV0043', 'INV0042', 'rf97inv0042'].map(isPaymentReference)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test.each([
  ['pix', '2027-05-03T14:00:00Z', '2027-05-04T14:00:00.000Z'],
  ['boleto', '2027-05-03T12:00:00Z', '2027-05-07T02:59:00.000Z'],
  ['boleto', '2027-05-04T01:00:00Z', '2027-05-07T02:59:00.000Z'],
  ['bank_transfer', '2027-05-03T12:00:00Z', undefined],
])('instructions of %s from %s can be paid until %s', (instrument, now, until) => {
  expect(payableUntil(instrumentOf(instrument), new Date(now))?.toISOString()).toBe(until);
});
