import { Quittance } from '../src/packages/sdk/index.ts';
import { apiKey } from './children.ts';
import { freshId, withUsage } from './usage.ts';

// Compares the TypeScript client with `fetch`. Both record the same usage events from the same process, in turns.

const connections = 16;
const turnsPerRound = 3;
const warmSeconds = 5;

/** Events per second, and processor time of the calling process per event in milliseconds. */
type Sent = { readonly perSecond: number; readonly cpuMs: number };

/** Results of the client and of `fetch`, one value per turn. */
export type ClientRates = { readonly client: readonly Sent[]; readonly bare: readonly Sent[] };

/** Sends events for a number of seconds. Each connection sends its next event after the response to the previous one. */
async function sendFor(seconds: number, send: () => Promise<unknown>): Promise<Sent> {
  const began = performance.now();
  const cpu = process.cpuUsage();
  let sent = 0;
  const sendAlong = async (): Promise<void> => {
    while (performance.now() < began + seconds * 1_000) {
      await send();
      sent += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, sendAlong));
  const { user, system } = process.cpuUsage(cpu);
  const elapsed = (performance.now() - began) / 1_000;
  return { perSecond: sent / elapsed, cpuMs: (user + system) / 1_000 / sent };
}

/** Measures usage events that the client and `fetch` record. */
export const measureClient = (rounds: number, seconds: number): Promise<ClientRates> =>
  withUsage(async ({ product, metered, callers }) => {
    let next = 0;
    const event = () => ({
      customerId: callers[++next % callers.length] ?? '',
      featureCode: metered.featureCode,
      eventId: freshId(),
    });
    const quittance = new Quittance({ apiKey, baseUrl: product.url, maxRetries: 0 });
    const withClient = () => quittance.usage.track(event());
    const withFetch = async (): Promise<unknown> => {
      const response = await fetch(`${product.url}/api/v1/usage/events`, {
        method: 'POST',
        headers: {
          'x-api-key': apiKey,
          'content-type': 'application/json',
          'idempotency-key': crypto.randomUUID(),
        },
        body: JSON.stringify(event()),
      });
      if (!response.ok) throw new Error(`The service responded with the status ${response.status}.`);
      return response.json();
    };
    const rates = { client: [] as Sent[], bare: [] as Sent[] };
    // A process handles its first tens of thousands of requests much more slowly.
    for (const send of [withClient, withFetch]) await sendFor(warmSeconds, send);
    for (let turn = 0; turn < rounds * turnsPerRound; turn++) {
      // The first of two measurements is slower if the service has been idle, so each one is the first in turn.
      const isClientFirst = turn % 2 === 0;
      if (isClientFirst) rates.client.push(await sendFor(seconds, withClient));
      rates.bare.push(await sendFor(seconds, withFetch));
      if (!isClientFirst) rates.client.push(await sendFor(seconds, withClient));
    }
    return rates;
  });
