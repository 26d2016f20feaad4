import { randomUUID } from 'node:crypto';
import { monotonicMs } from '../src/platform/clock.ts';
import { systemContext } from '../src/request/context.ts';
import { schema } from '../src/schema.ts';
import { askHandler, openRestHandler } from '../test/support/handler.ts';
import { apiKey } from './children.ts';
import { addSubscribers } from './consumers.ts';
import { createDatabase } from './database.ts';
import { closeWorld, openWorld, sandboxOf } from './world.ts';

// CPU time of requests with the request log on, in relation to the same requests with the log off. The handler is called without a connection, so
// the ratio is a lower bound.

/** Short rounds, so that a busy machine slows down both variants equally. */
const rounds = 61;
const perRound = 320;
const subscribers = 200;
const parallel = 16;

const settings = { RATE_LIMIT_PER_MINUTE: '0' };

async function open(days: string) {
  const url = await createDatabase();
  const app = await openWorld(url, {
    ...settings,
    REQUEST_LOG_DAYS: days,
    REQUEST_LOG_PER_MINUTE: '10000000',
  });
  const handler = openRestHandler(app, schema);
  const send = (method: string, path: string, body?: object): Promise<Response> =>
    askHandler(
      handler,
      new Request(`http://localhost/api/v1${path}`, {
        method,
        headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
  for (let count = 0; count < 25; count++)
    await send('POST', '/customers', { email: `bench${count}@example.com`, fullName: 'Ada Lovelace' });
  const make = async (path: string, body: object): Promise<string> =>
    ((await (await send('POST', path, body)).json()) as { readonly id: string }).id;
  const featureId = await make('/features', { name: 'calls', code: 'calls', type: 'usage' });
  const planId = await make('/plans', { name: 'calls', code: 'calls' });
  await send('POST', `/plans/${planId}/features`, { featureId, enabled: true, unlimited: true });
  await send('POST', `/plans/${planId}/prices`, { billingInterval: 'monthly', price: 4_900 });
  const sandbox = await systemContext(app, await sandboxOf(url));
  const customers = await addSubscribers(sandbox, 'u', subscribers, planId);
  return { app, send, customers };
}

const variants = { off: await open('0'), on: await open('7') };

type Variant = (typeof variants)['on'];

const calls: Readonly<Record<string, (variant: Variant, index: number) => Promise<Response>>> = {
  'list of 25 customers': ({ send }) => send('GET', '/customers'),
  'usage event': ({ send, customers }, index) =>
    send('POST', '/usage/events', {
      customerId: customers[index % customers.length],
      featureCode: 'calls',
      eventId: randomUUID(),
    }),
  'new customer': ({ send }, index) =>
    send('POST', '/customers', {
      email: `new${index}-${Math.random()}@example.com`,
      fullName: 'Grace Hopper',
      metadata: { team: 'support' },
    }),
};

let index = 0;

/** CPU time per request in microseconds, including the records. */
async function measure(variant: Variant, call: (variant: Variant, index: number) => Promise<Response>) {
  const before = process.cpuUsage();
  const began = monotonicMs();
  for (let sent = 0; sent < perRound; sent += parallel)
    await Promise.all(
      Array.from({ length: parallel }, async () => {
        const { status } = await call(variant, index++);
        if (status >= 400) throw new Error(`A request failed with ${status}.`);
      }),
    );
  await variant.app.requestLog.flush();
  const { user, system } = process.cpuUsage(before);
  return { cpu: (user + system) / perRound, ms: (monotonicMs() - began) / perRound };
}

for (const [name, call] of Object.entries(calls)) {
  await measure(variants.off, call);
  await measure(variants.on, call);
  const times: [off: number, on: number][] = [];
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    // The order changes, because the second measurement runs on warmer code and on a larger heap.
    const first = round % 2 === 0 ? variants.off : variants.on;
    const second = first === variants.off ? variants.on : variants.off;
    const [one, other] = [await measure(first, call), await measure(second, call)];
    const [off, on] = first === variants.off ? [one, other] : [other, one];
    ratios.push(off.cpu / on.cpu);
    times.push([off.cpu, on.cpu]);
  }
  const medianOf = (values: readonly number[]): number =>
    values.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
  const [off, on] = [medianOf(times.map(([each]) => each)), medianOf(times.map(([, each]) => each))];
  console.log(
    `${name}: off ${off.toFixed(0)} µs, on ${on.toFixed(0)} µs, ratio ${medianOf(ratios).toFixed(3)}`,
  );
}
for (const { app } of Object.values(variants)) await closeWorld(app);
