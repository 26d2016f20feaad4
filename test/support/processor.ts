import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Gateways } from '../../src/providers/provider.ts';
import { Bank } from './bank.ts';

/** The provider's scripted response to a payment attempt. */
type Script =
  | 'settles'
  | 'declines'
  | 'asks'
  /** Charges the payer, and closes the connection without a response. */
  | 'settles silently'
  /** Declines the charge, and closes the connection without a response. */
  | 'declines silently'
  /** Ignores the attempt and closes the connection. */
  | 'loses'
  /** Accepts the attempt and reports that it's processing. */
  | 'works'
  /** Responds with an error before processing the attempt. */
  | 'breaks'
  /** Charges the payer, but responds only when `answerLate` is called. */
  | 'settles late';

/**
 * Returns gateways that let the platform's provider also charge in sandboxes. By default, the provider charges only in live environments.
 * Connected accounts always make network calls, even in sandboxes.
 */
export const chargingSandboxes = (opened: Gateways): Gateways => ({
  ...opened,
  gatewayOf: (provider) => opened.gatewayOf(provider, true),
});

/** Payment attempt that the product requested from the provider. */
type Requested = {
  readonly transactionId: string;
  readonly kind: 'charge' | 'setup' | 'refund';
  readonly amountMinor: string;
  readonly currency: string;
  readonly methodReference: string;
};

type Verdict = { status: string; declineCode?: string };

/** Payment provider that the product calls over the network. Creates each attempt only once, even if it's requested repeatedly. */
export type Processor = {
  readonly url: string;
  /** Simulated bank for payouts and verifications. */
  readonly bank: Bank;
  /** Requests that the provider received, such as `PUT txn_…`. */
  readonly calls: string[];
  /** Payment attempts that the provider created, by ID. */
  readonly made: ReadonlyMap<string, Requested & Verdict>;
  /** Returns the amounts of settled charges in minor units, with their attempt IDs. */
  readonly taken: () => string[];
  /**
   * Sets the responses to the next attempts, one each. The last response also applies to all later attempts.
   */
  readonly plays: (...scripts: Script[]) => void;
  /** Changes an existing attempt's result. */
  readonly decides: (id: string, verdict: Verdict) => void;
  /** Responds to all delayed requests with their attempt's current status, or with the given result. */
  readonly answerLate: (verdict?: Verdict) => void;
  /** Waits until `count` requests have arrived in total. The test's timeout limits the wait. */
  readonly received: (count: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

const verdicts: Readonly<Record<Script, Verdict | null>> = {
  settles: { status: 'settled' },
  declines: { status: 'declined', declineCode: 'card_declined' },
  asks: { status: 'requires_action' },
  'settles silently': { status: 'settled' },
  'declines silently': { status: 'declined', declineCode: 'card_declined' },
  'settles late': { status: 'settled' },
  works: { status: 'processing' },
  loses: null,
  breaks: null,
};

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

const reply = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

/** Starts a provider that settles every attempt until `plays` is called. */
export async function openProcessor(): Promise<Processor> {
  const calls: string[] = [];
  const made = new Map<string, Requested & Verdict>();
  const held: { response: ServerResponse; id: string }[] = [];
  const waiting = new Set<() => void>();
  const bank = new Bank();
  let scripts: Script[] = ['settles'];

  const make = (id: string, requested: Requested, response: ServerResponse): void => {
    const known = made.get(id);
    if (known !== undefined) return reply(response, 200, known);
    const [script = 'settles'] = scripts;
    if (scripts.length > 1) scripts = scripts.slice(1);
    const verdict = verdicts[script];
    if (verdict !== null) made.set(id, { ...requested, ...verdict });
    if (script === 'breaks') return reply(response, 500, { error: 'broken' });
    if (script === 'settles late') return void held.push({ response, id });
    if (script === 'loses' || script.endsWith('silently')) return void response.destroy();
    reply(response, 200, verdict);
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, folder = '', id = '', action] = /([a-z]+)\/([^/]+?)(\/cancel)?$/.exec(request.url ?? '') ?? [];
    const text = await textOf(request);
    calls.push(`${request.method ?? ''} ${id}${action ?? ''}`);
    for (const wake of waiting) wake();
    if (folder !== 'attempts')
      return bank.handle(
        { method: request.method ?? '', folder, id, action: action ?? '', text },
        response,
        reply,
      );
    if (request.method === 'PUT') return make(id, JSON.parse(text) as Requested, response);
    const known = made.get(id);
    if (known === undefined) return reply(response, 404, { error: 'never heard of it' });
    if (action !== undefined && known.status !== 'settled')
      made.set(id, { ...known, status: 'declined', declineCode: 'canceled' });
    reply(response, 200, made.get(id));
  };

  const server = createServer(
    (request, response) => void handle(request, response).catch(() => response.destroy()),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bank,
    calls,
    made,
    taken: () =>
      [...made.values()]
        .filter(({ kind, status }) => kind === 'charge' && status === 'settled')
        .map((one) => one.amountMinor),
    plays: (...next) => {
      scripts = next;
    },
    decides: (id, verdict) => {
      const known = made.get(id);
      if (known === undefined) throw new Error(`${id} was never made.`);
      made.set(id, { ...known, ...verdict });
    },
    answerLate: (verdict) => {
      for (const { response, id } of held.splice(0)) reply(response, 200, verdict ?? made.get(id));
    },
    received: async (count) => {
      while (calls.length < count) await new Promise<void>((resolve) => waiting.add(resolve));
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
