import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeReply } from '../../src/http/reply.ts';
import { ClientLeftError } from '../../src/platform/client-left.ts';

// If a stream's client disconnects, the stream is canceled without reporting an error.

let served = Promise.withResolvers<ServerResponse>();
const server = createServer((_incoming, outgoing) => served.resolve(outgoing));
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => server.close());

/** Sends a request. Returns a function that disconnects the client, and the server's response object. */
async function asked(): Promise<{ outgoing: ServerResponse; leave: () => Promise<void> }> {
  served = Promise.withResolvers();
  const sent = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  sent.on('error', () => undefined);
  sent.end();
  const outgoing = await served.promise;
  const closed = new Promise<void>((resolve) => outgoing.once('close', () => resolve()));
  const leave = (): Promise<void> => {
    sent.destroy();
    return closed;
  };
  return { outgoing, leave };
}

/** Returns an endless stream, and a function that returns whether the stream was canceled. */
function endless() {
  let isCanceled = false;
  let fail: (error: Error) => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(Buffer.from('first'));
      fail = (error) => controller.error(error);
    },
    cancel: () => {
      isCanceled = true;
    },
  });
  return { reply: { status: 200, headers: {}, body }, isCanceled: () => isCanceled, fail };
}

describe('a streamed reply', () => {
  it('is canceled if the client disconnected before it started', async () => {
    const { outgoing, leave } = await asked();
    const { reply, isCanceled } = endless();
    await leave();
    await writeReply(outgoing, reply);
    expect(isCanceled()).toBe(true);
  });

  it('is canceled when the client disconnects', async () => {
    const { outgoing, leave } = await asked();
    const { reply, isCanceled } = endless();
    const written = writeReply(outgoing, reply);
    await leave();
    await written;
    expect(isCanceled()).toBe(true);
  });

  it('does not throw if it fails because the client disconnected', async () => {
    const { outgoing, leave } = await asked();
    const { reply, fail } = endless();
    outgoing.once('close', () => fail(new ClientLeftError()));
    const written = writeReply(outgoing, reply);
    await leave();
    await expect(written).resolves.toBeUndefined();
  });

  it('throws if it fails for another reason', async () => {
    const { outgoing, leave } = await asked();
    const { reply, fail } = endless();
    const written = writeReply(outgoing, reply);
    fail(new Error('The disk is full.'));
    await expect(written).rejects.toThrow('The disk is full.');
    await leave();
  });
});
