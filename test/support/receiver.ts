import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Webhook message that the server received. */
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

/** Status of the response, or a function that handles the request. */
type Behaviour = number | ((message: Message, response: ServerResponse) => void | Promise<void>);

/** Server that receives webhooks. */
export type Receiver = {
  /** URL of the receiver. Tests can append a path. */
  readonly url: string;
  /** Messages in the order in which they were completely received. */
  readonly messages: readonly Message[];
  /** Sets the response to later messages. The initial status is 200. */
  readonly behave: (behaviour: Behaviour) => void;
  /** Waits until `count` messages have arrived in total. The test's timeout limits the wait. */
  readonly received: (count: number) => Promise<readonly Message[]>;
  readonly close: () => Promise<void>;
};

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

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
  // Ignores errors from senders that disconnect during a message.
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

/** Returns the signature that a receiver computes for a message. */
export const expectedSignature = (text: string, secret: string): string =>
  createHmac('sha256', secret).update(text).digest('hex');
