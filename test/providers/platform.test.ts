import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChargeRequest } from '../../src/domain/payments/provider.ts';
import { openPlatformProcessor } from '../../src/providers/platform.ts';
import type { RemoteGateway } from '../../src/providers/provider.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';

let receiver: Receiver;
let platformProcessor: RemoteGateway;
beforeAll(async () => {
  receiver = await openReceiver();
  platformProcessor = openPlatformProcessor({ url: receiver.url, timeoutMs: 300 });
});
afterAll(() => receiver.close());

const request: ChargeRequest = {
  transactionId: 'txn_1',
  customerId: 'cus_1',
  subscriptionId: 'sub_1',
  invoiceId: 'inv_1',
  kind: 'charge',
  provider: 'platform',
  methodReference: 'tok_1',
  amountMinor: 1_900n,
  currency: 'usd',
  isFirst: true,
};

const answers = (status: number, text: string): void =>
  receiver.behave(
    (_message, response) => void response.writeHead(status, { 'content-type': 'application/json' }).end(text),
  );

test('an attempt is created by its ID, which is also the idempotency key', async () => {
  answers(200, '{"status":"settled"}');
  await platformProcessor.charge(request, 'env_1');
  const { method, path, headers, text } = receiver.messages.at(-1) ?? {};
  expect([method, path, headers?.['idempotency-key']]).toEqual([
    'PUT',
    '/environments/env_1/attempts/txn_1',
    'txn_1',
  ]);
  expect(JSON.parse(text ?? '')).toEqual({ ...request, amountMinor: '1900' });
});

describe('a payment response', () => {
  test.each([
    ['{"status":"settled","more":1}', { status: 'settled' }],
    ['{"status":"requires_action"}', { status: 'requires_action' }],
    [
      '{"status":"declined","declineCode":"stolen","message":"No."}',
      { status: 'declined', declineCode: 'stolen', message: 'No.' },
    ],
    [
      '{"status":"declined","declineCode":"stolen"}',
      { status: 'declined', declineCode: 'stolen', message: 'The charge was declined.' },
    ],
    ['{"status":"processing"}', { status: 'unknown' }],
    ['{"status":"declined"}', { status: 'unknown' }],
    ['{"status":"perhaps"}', { status: 'unknown' }],
    ['<html>', { status: 'unknown' }],
    ['', { status: 'unknown' }],
  ])('is parsed from the body %s', async (text, result) => {
    answers(200, text);
    expect(await platformProcessor.charge(request, 'env_1')).toEqual(result);
  });

  test.each([400, 401, 404, 409, 429, 500, 503])(
    'is treated as an unknown result if its status is %d',
    async (status) => {
      answers(status, '{"status":"settled"}');
      expect(await platformProcessor.charge(request, 'env_1')).toEqual({ status: 'unknown' });
    },
  );

  test('is treated as an unknown result after a timeout', async () => {
    receiver.behave(() => undefined);
    expect(await platformProcessor.charge(request, 'env_1')).toEqual({ status: 'unknown' });
  });

  test('distinguishes an attempt that was never created from one whose response was lost', async () => {
    answers(404, '{}');
    expect(await platformProcessor.inquire(request, 'env_1')).toBeNull();
    answers(500, '{}');
    expect(await platformProcessor.inquire(request, 'env_1')).toEqual({ status: 'unknown' });
  });
});
