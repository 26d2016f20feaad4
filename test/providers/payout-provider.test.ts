import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  openPayoutProvider,
  type PayoutOrder,
  type PayoutProvider,
} from '../../src/providers/payout-provider.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';

let receiver: Receiver;
let platformProcessor: PayoutProvider;
beforeAll(async () => {
  receiver = await openReceiver();
  platformProcessor = openPayoutProvider({ url: receiver.url, timeoutMs: 300 });
});
afterAll(() => receiver.close());

const order: PayoutOrder = {
  id: 'po_1',
  transferId: 'tr_1',
  amountMinor: '30000',
  currency: 'usd',
  description: null,
  bankAccount: {
    id: 'pba_1',
    holderName: 'Acme',
    number: '000123456789',
    routingNumber: '110000000',
    country: 'US',
    currency: 'usd',
    accountType: 'checking',
  },
};

const answers = (status: number, text: string): void =>
  receiver.behave(
    (_message, response) => void response.writeHead(status, { 'content-type': 'application/json' }).end(text),
  );

const requested = () => {
  const { method, path, headers, text } = receiver.messages.at(-1) ?? {};
  return [method, path, headers?.['idempotency-key'], text];
};

test('a payout is created, retrieved, and canceled by its ID, which is also the idempotency key', async () => {
  answers(200, '{"status":"pending"}');
  const place = '/environments/env_1/payouts/po_1';
  expect(await platformProcessor.payouts.make(order, 'env_1')).toEqual({ status: 'pending' });
  expect(requested()).toEqual(['PUT', place, 'po_1', JSON.stringify(order)]);
  expect(await platformProcessor.payouts.inquire('po_1', 'env_1')).toEqual({ status: 'pending' });
  expect(requested()).toEqual(['GET', place, 'po_1', '']);
  expect(await platformProcessor.payouts.withdraw('po_1', 'env_1')).toEqual({ status: 'pending' });
  expect(requested()).toEqual(['POST', `${place}/cancel`, 'po_1', '']);
});

describe('a payout response', () => {
  test.each([
    ['{"status":"in_transit","more":1}', { status: 'in_transit' }],
    ['{"status":"paid"}', { status: 'paid' }],
    ['{"status":"canceled"}', { status: 'canceled' }],
    [
      '{"status":"failed","code":"no_account","message":"No."}',
      { status: 'failed', code: 'no_account', message: 'No.' },
    ],
    [
      '{"status":"failed","code":"no_account"}',
      { status: 'failed', code: 'no_account', message: 'The bank rejected the payout.' },
    ],
    ['{"status":"failed"}', { status: 'unknown' }],
    ['{"status":"settled"}', { status: 'unknown' }],
    ['<html>', { status: 'unknown' }],
    ['', { status: 'unknown' }],
  ])('is parsed from the body %s', async (text, result) => {
    answers(200, text);
    expect(await platformProcessor.payouts.make(order, 'env_1')).toEqual(result);
  });

  test.each([400, 401, 409, 429, 500, 503])(
    'is treated as an unknown result if its status is %d',
    async (status) => {
      answers(status, '{"status":"paid"}');
      expect(await platformProcessor.payouts.make(order, 'env_1')).toEqual({ status: 'unknown' });
      expect(await platformProcessor.payouts.inquire('po_1', 'env_1')).toEqual({ status: 'unknown' });
    },
  );

  test('is treated as an unknown result after a timeout', async () => {
    receiver.behave(() => undefined);
    expect(await platformProcessor.payouts.make(order, 'env_1')).toEqual({ status: 'unknown' });
  });

  test('distinguishes a payout that was never created from one whose response was lost', async () => {
    answers(404, '{}');
    expect(await platformProcessor.payouts.inquire('po_1', 'env_1')).toBeNull();
    expect(await platformProcessor.payouts.withdraw('po_1', 'env_1')).toEqual({ status: 'unknown' });
  });
});

describe('a verification request', () => {
  const requested = { ...order.bankAccount };
  const verification = {
    id: 'pver_1',
    country: 'US',
    business: { legalName: 'Acme' },
    person: {},
    document: {},
    bankAccount: requested,
  };

  test('is created and retrieved by its ID', async () => {
    answers(200, '{"status":"pending"}');
    expect(await platformProcessor.verifications.make(verification, 'env_1')).toEqual({ status: 'pending' });
    expect(await platformProcessor.verifications.inquire('pver_1', 'env_1')).toEqual({ status: 'pending' });
    expect(receiver.messages.slice(-2).map(({ method, path, text }) => [method, path, text])).toEqual([
      ['PUT', '/environments/env_1/verifications/pver_1', JSON.stringify(verification)],
      ['GET', '/environments/env_1/verifications/pver_1', ''],
    ]);
  });

  const unreadable = { code: 'unreadable', message: 'The document cannot be read.' };
  test.each([
    ['{"status":"approved"}', { status: 'approved' }],
    ['{"status":"rejected"}', { status: 'rejected', reasons: [] }],
    [
      JSON.stringify({
        status: 'rejected',
        reasons: [unreadable, { ...unreadable, field: 'document.number' }],
      }),
      {
        status: 'rejected',
        reasons: [
          { ...unreadable, field: null },
          { ...unreadable, field: 'document.number' },
        ],
      },
    ],
    ['{"status":"rejected","reasons":["no"]}', { status: 'unknown' }],
    ['{"status":"paid"}', { status: 'unknown' }],
  ])('is parsed from the response %s', async (text, result) => {
    answers(200, text);
    expect(await platformProcessor.verifications.inquire('pver_1', 'env_1')).toEqual(result);
  });
});
