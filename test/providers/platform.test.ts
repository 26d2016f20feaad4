import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChargeRequest } from '../../src/domain/provider.ts';
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

test('makes an attempt under its own name, which is the idempotency key', async () => {
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

describe('an answer', () => {
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
  ])('of %s', async (text, result) => {
    answers(200, text);
    expect(await platformProcessor.charge(request, 'env_1')).toEqual(result);
  });

  test.each([400, 401, 404, 409, 429, 500, 503])(
    'of status %d says nothing about the money',
    async (status) => {
      answers(status, '{"status":"settled"}');
      expect(await platformProcessor.charge(request, 'env_1')).toEqual({ status: 'unknown' });
    },
  );

  test('that does not come in time says nothing either', async () => {
    receiver.behave(() => undefined);
    expect(await platformProcessor.charge(request, 'env_1')).toEqual({ status: 'unknown' });
  });

  test('that the attempt was never made differs from none', async () => {
    answers(404, '{}');
    expect(await platformProcessor.inquire(request, 'env_1')).toBeNull();
    answers(500, '{}');
    expect(await platformProcessor.inquire(request, 'env_1')).toEqual({ status: 'unknown' });
  });
});
