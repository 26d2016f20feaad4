import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { headersOf } from '../../src/modules/messages/webhooks/sign.ts';
import { webhooks } from '../../src/packages/sdk/index.ts';
import { type Answer, check, nothing, type Task } from './task.ts';

// Task about a webhook receiver, which runs as a server of the agent.

const secret = `whsec_${Buffer.from('secret of the receiver').toString('base64')}`;

/** Starts a server on a free port. */
async function listen(
  respond: (path: string, body: string, headers: Headers) => Promise<Response>,
): Promise<Server> {
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      const headers = new Headers(request.headers as Record<string, string>);
      const answer = await respond(request.url ?? '', body, headers);
      response.writeHead(answer.status).end(await answer.text());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The process can end while the server runs.
  server.unref();
  return server;
}

type Receiver = { readonly verifies: boolean; readonly skipsRepeated: boolean; readonly orders: boolean };

/** Starts a receiver that counts grants by customer, and returns its address. */
async function receiver({ verifies, skipsRepeated, orders }: Receiver): Promise<Answer> {
  const access = new Map<string, { isAllowed: boolean; at: string; changes: number }>();
  const seen = new Set<string>();
  const server = await listen(async (path, body, headers) => {
    if (path.startsWith('/access/')) {
      const state = access.get(path.slice('/access/'.length));
      return Response.json({ allowed: state?.isAllowed ?? false, changes: state?.changes ?? 0 });
    }
    if (verifies) {
      try {
        await webhooks.verify(body, headers, secret);
      } catch {
        return new Response('', { status: 400 });
      }
    }
    const { id, event, timestamp, data } = JSON.parse(body) as Message;
    if (skipsRepeated && seen.has(id)) return new Response('');
    seen.add(id);
    const state = access.get(data.customerId);
    if (orders && state !== undefined && state.at > timestamp) return new Response('');
    access.set(data.customerId, {
      isAllowed: event === 'subscription.activated',
      at: timestamp,
      changes: (state?.changes ?? 0) + 1,
    });
    return new Response('');
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

type Message = {
  readonly id: string;
  readonly event: string;
  readonly timestamp: string;
  readonly data: { readonly customerId: string };
};

const message = (id: string, event: string, timestamp: string, customerId: string): Message => ({
  id,
  event,
  timestamp,
  data: { customerId },
});

async function send(url: string, sent: Message, signedWith: string): Promise<number> {
  const body = JSON.stringify(sent);
  const emitted = { id: sent.id, kind: sent.event, occurredAt: new Date(sent.timestamp), data: sent.data };
  const headers = headersOf(emitted as never, body, [signedWith], new Date());
  return (await fetch(url, { method: 'POST', headers, body }).catch(() => new Response('', { status: 599 })))
    .status;
}

export const receiveWebhooks: Task = {
  id: 'receive-webhooks',
  textOf: () =>
    `Write a server that receives our webhooks at POST / and grants access: subscription.activated allows the customer of data.customerId, and subscription.canceled ends the access. The signing secret is ${secret}. GET /access/<customer ID> returns {"allowed": boolean, "changes": number of changes}. Messages can be repeated, arrive in another order than their timestamps, and be forged. Start the server, and return {"url": "<address>"}.`,
  prepare: async () => ({}),
  solve: () => receiver({ verifies: true, skipsRepeated: true, orders: true }),
  grade: async (_world, _start, { url = '' }) => {
    const target = String(url);
    const accessOf = async (customer: string): Promise<unknown> =>
      fetch(`${target}/access/${customer}`)
        .then((response) => response.json())
        .catch(() => null);
    const activated = message('whev_1', 'subscription.activated', '2027-01-01T00:00:00.000Z', 'ada');
    const statuses = [await send(target, activated, secret), await send(target, activated, secret)];
    const forged = await send(
      target,
      message('whev_2', 'subscription.activated', '2027-01-01T00:00:00.000Z', 'mallory'),
      `whsec_${Buffer.from('another secret').toString('base64')}`,
    );
    const canceled = message('whev_4', 'subscription.canceled', '2027-01-03T00:00:00.000Z', 'grace');
    await send(target, canceled, secret);
    await send(
      target,
      message('whev_3', 'subscription.activated', '2027-01-02T00:00:00.000Z', 'grace'),
      secret,
    );
    return [
      check('repeated messages are accepted', statuses, [200, 200]),
      check('a repeated message changes the access once', await accessOf('ada'), {
        allowed: true,
        changes: 1,
      }),
      check(
        'a forged message is rejected',
        [forged >= 400 && forged < 500, await accessOf('mallory')],
        [true, { allowed: false, changes: 0 }],
      ),
      check('an older message changes nothing', await accessOf('grace'), { allowed: false, changes: 1 }),
    ];
  },
  mistakes: {
    'does nothing': nothing,
    "doesn't verify signatures": () => receiver({ verifies: false, skipsRepeated: true, orders: true }),
    'repeats changes': () => receiver({ verifies: true, skipsRepeated: false, orders: true }),
    'ignores the order': () => receiver({ verifies: true, skipsRepeated: true, orders: false }),
  },
};
