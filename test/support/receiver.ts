import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message as it arrived; `startedAt` is its place among all messages by when they began to arrive. */
export type Message = {
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly envelope: {
    readonly id: string;
    readonly event: string;
    readonly data: Record<string, unknown>;
    readonly [field: string]: unknown;
  };
};

/** How a receiver answers: with a status, or by handling the request itself. */
export type Behaviour = number | ((message: Message, response: ServerResponse) => void | Promise<void>);

/** A server of someone who receives webhooks. */
export type Receiver = {
  /** Its address, to which a path can be added. */
  readonly url: string;
  /** All that arrived, in the order in which the bodies were complete. */
  readonly messages: readonly Message[];
  /** From now on it answers like this; 200 at first. */
  readonly behave: (behaviour: Behaviour) => void;
  /** Waits until so many messages arrived in all; the test's own time limit ends the wait. */
  readonly received: (count: number) => Promise<readonly Message[]>;
  readonly close: () => Promise<void>;
};

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** Starts a receiver on a port of its own. */
export async function openReceiver(): Promise<Receiver> {
  const messages: Message[] = [];
  const waiting = new Set<() => void>();
  let behaviour: Behaviour = 200;
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await textOf(request);
    const { url = '/', method = '', headers } = request;
    const message = {
      path: url,
      method,
      headers,
      text,
      envelope: (text === '' ? {} : JSON.parse(text)) as Message['envelope'],
    };
    messages.push(message);
    for (const wake of waiting) wake();
    if (typeof behaviour === 'number') response.writeHead(behaviour).end();
    else await behaviour(message, response);
  };
  // A sender that gives up while its message arrives is none of the receiver's business.
  const server = createServer(
    (request, response) => void receive(request, response).catch(() => response.destroy()),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages,
    behave: (next) => {
      behaviour = next;
    },
    received: async (count) => {
      while (messages.length < count) await new Promise<void>((resolve) => waiting.add(resolve));
      return messages;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** The signature a receiver works out for itself. */
export const expectedSignature = (text: string, secret: string): string =>
  createHmac('sha256', secret).update(text).digest('hex');
