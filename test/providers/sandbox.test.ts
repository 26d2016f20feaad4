import { describe, expect, test } from 'vitest';
import type { ChargeRequest } from '../../src/domain/payments/provider.ts';
import { sandboxCharge, sandboxDispute, vaultCard } from '../../src/providers/sandbox.ts';

const wall = new Date('2027-03-15T12:00:00.000Z');
const card = (number: string) => ({ number, expMonth: 3, expYear: 2027, cvc: '123' });

const request = (methodReference: string, isFirst: boolean): ChargeRequest => ({
  transactionId: 'txn_1',
  customerId: 'cus_1',
  subscriptionId: 'sub_1',
  invoiceId: 'inv_1',
  kind: 'charge',
  provider: 'platform',
  methodReference,
  amountMinor: 1_900n,
  currency: 'usd',
  isFirst,
});

const problemsOf = (input: Parameters<typeof vaultCard>[0]): unknown => {
  try {
    vaultCard(input, wall);
  } catch (error) {
    return (error as { details: unknown }).details;
  }
  throw new Error('The card was accepted.');
};

describe('the sandbox gateway with test cards (BIL-60)', () => {
  test.each([
    ['4242 4242 4242 4242', 'settled', 'settled'],
    ['4000 0000 0000 0002', 'card_declined', 'card_declined'],
    ['4000 0000 0000 9995', 'insufficient_funds', 'insufficient_funds'],
    ['4000 0000 0000 0069', 'expired_card', 'expired_card'],
    ['4000 0025 0000 3155', 'requires_action', 'settled'],
    ['4000 0000 0000 3220', 'requires_action', 'settled'],
    ['4000 0000 0000 0341', 'settled', 'card_declined'],
    ['4000-0000-0000-0259', 'settled', 'settled'],
    ['5555 5555 5555 4444', 'settled', 'settled'],
    ['4000 0000 0000 9987', 'lost_card', 'lost_card'],
    ['4000 0000 0000 9979', 'stolen_card', 'stolen_card'],
    ['4100 0000 0000 0019', 'fraudulent', 'fraudulent'],
    ['4000 0000 0000 6975', 'card_velocity_exceeded', 'card_velocity_exceeded'],
    ['4000 0000 0000 0101', 'do_not_honor', 'do_not_honor'],
    ['4000 0000 0000 0119', 'processing_error', 'processing_error'],
    ['4000 0000 0000 0127', 'incorrect_cvc', 'incorrect_cvc'],
    ['4000 0027 6000 3184', 'requires_action', 'requires_action'],
  ])('charges the card %s with the result %s at the first checkout and %s later', (number, first, later) => {
    const { reference } = vaultCard(card(number), wall);
    const word = (isFirst: boolean) => {
      const result = sandboxCharge(request(reference, isFirst));
      return result.status === 'declined' ? result.declineCode : result.status;
    };
    expect([word(true), word(false), word(false)]).toEqual([first, later, later]);
  });

  test.each([
    ['4242 4242 4242 4242', 'visa'],
    ['5555 5555 5555 4444', 'mastercard'],
    ['3782 822463 10005', 'amex'],
    ['6011 1111 1111 1117', 'discover'],
    ['3056 9300 0902 0004', 'diners'],
    ['3566 0020 2036 0505', 'jcb'],
    ['6200 0000 0000 0005', 'unionpay'],
  ])('stores the card %s with the brand %s', (number, brand) => {
    expect(vaultCard(card(number), wall)).toMatchObject({ brand, last4: number.slice(-4).replace(' ', '') });
  });

  test('opens disputes only for charges to the dispute card, and accepts all refunds', () => {
    const { reference } = vaultCard(card('4000000000000259'), wall);
    const requested = request(reference, false);
    expect(
      [requested, { ...requested, kind: 'setup' as const }, { ...requested, kind: 'refund' as const }].map(
        sandboxDispute,
      ),
    ).toEqual(['fraudulent', null, null]);
    expect(sandboxDispute(request(vaultCard(card('4242424242424242'), wall).reference, true))).toBeNull();
    expect(sandboxCharge({ ...requested, kind: 'refund', refundOf: 'txn_1', methodReference: '' })).toEqual({
      status: 'settled',
    });
  });

  test("stores a card's first eight and last four digits, but never the full number", () => {
    expect(vaultCard(card('4242424242424242'), wall)).toEqual({
      reference: 'tok_sandbox_pays_4242',
      provider: 'platform',
      brand: 'visa',
      bin: '42424242',
      last4: '4242',
      expMonth: 3,
      expYear: 2027,
    });
  });

  test("reports all of a card's format errors together", () => {
    expect(problemsOf({ number: '4242 4242 4242 4241', expMonth: 13, expYear: 27, cvc: '12' })).toEqual([
      { field: 'card.number', message: 'The card number is invalid.' },
      { field: 'card.expMonth', message: 'The expiration month must be a whole number from 1 to 12.' },
      { field: 'card.expYear', message: 'The expiration year must have 4 digits.' },
      { field: 'card.cvc', message: 'The security code must have 3 or 4 digits.' },
    ]);
  });

  test('accepts a card in its expiration month, but not in the next month', () => {
    expect(problemsOf({ ...card('4242424242424242'), expMonth: 2 })).toEqual([
      { field: 'card.expYear', message: 'The card has expired.' },
    ]);
  });

  test('rejects real cards', () => {
    expect(problemsOf(card('4111111111111111'))).toEqual([
      { field: 'card.number', message: 'The sandbox only accepts test cards, such as 4242 4242 4242 4242.' },
    ]);
  });

  test('throws an internal error for an unknown card reference', () => {
    expect(() => sandboxCharge(request('tok_other', false))).toThrow(
      'The sandbox gateway has no method tok_other.',
    );
  });
});
