import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Post, post } from '../../src/platform/http-post.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
});
afterAll(() => receiver.close());

const send = (more: Partial<Post> = {}) =>
  post({
    url: receiver.url,
    headers: {},
    body: '{}',
    timeoutMs: 300,
    isPublicOnly: false,
    isAnswerEmitted: () => true,
    ...more,
  });

describe('the response to a POST request', () => {
  test('is returned once its headers and the first 1,000 characters have arrived', async () => {
    receiver.behave((_message, response) => {
      response.writeHead(200);
      response.write('ü'.repeat(2_000));
    });
    expect(await send()).toMatchObject({ status: 200, answer: 'ü'.repeat(1_000), error: null });
    receiver.behave((_message, response) => void response.end('x'.repeat(1_000_000)));
    expect(await send()).toMatchObject({ status: 200, answer: 'x'.repeat(1_000) });
    receiver.behave((_message, response) => void response.writeHead(404).end('no\u0000pe'));
    expect(await send()).toMatchObject({ status: 404, answer: 'nope' });
  });

  test('contains only the status code if responses from the address must not be stored', async () => {
    receiver.behave((_message, response) => void response.writeHead(200).end('inside'));
    const requested: string[] = [];
    const isAnswerEmitted = (address: string) => {
      requested.push(address);
      return false;
    };
    expect(await send({ isAnswerEmitted })).toMatchObject({ status: 200, answer: null, error: null });
    // `isAnswerEmitted` also applies to a reused connection.
    expect(await send({ isAnswerEmitted })).toMatchObject({ status: 200, answer: null, error: null });
    expect(requested).toEqual(['127.0.0.1', '127.0.0.1']);
  });
});

test('a POST request that can go only to public addresses rejects private addresses in every notation', async () => {
  const { port } = new URL(receiver.url);
  const before = receiver.messages.length;
  for (const host of [
    '127.0.0.1',
    'localhost',

    '[::1]',
    '[::ffff:127.0.0.1]',
    '2130706433',
    '0x7f.1',
    '0',
    '127.1',
    '0177.0.0.1',
    '127.0.0.1.',
  ])
    expect([host, await send({ url: `http://${host}:${port}/`, isPublicOnly: true })]).toMatchObject([
      host,
      { status: null, answer: null, error: 'must point to a public address' },
    ]);
  expect(receiver.messages.length).toBe(before);
});
