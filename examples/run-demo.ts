import type { Shop } from '../src/modules/sandbox/example-shop/read-shop.ts';
import { openClient } from './client.ts';
import { moveClock } from './clock.ts';
import { type Figures, isLedgerBalanced, readYear } from './formats.ts';
import { createCatalog, createCustomers, createSubscriptions, payCheckouts } from './sell.ts';
import { writeSummary } from './summary.ts';
import { count, progressLine, type Screen, step } from './terminal.ts';
import { playFortnight } from './usage.ts';

// Runs the demo: opens the shop, creates subscriptions, and simulates a year.

/** Time of the test clock when the shop opens. It's the last day of a long month, to demonstrate renewals in shorter months. */
const openingTime = '2030-01-31T09:00:00.000Z';

/** Instance for the demo: its URL, and an API key for a sandbox whose clock isn't later than the opening time. */
export type Service = { readonly url: string; readonly apiKey: string };

/**
 * Runs the demo shop through the public API and prints its progress to `screen`. Returns figures that depend only on the shop. Throws if
 * the API returns an unexpected error.
 */
export async function playDemo(service: Service, shop: Shop, screen: Screen): Promise<Figures> {
  const seller = openClient(service.url, service.apiKey);
  const payer = openClient(service.url, null);
  const startedAt = performance.now();
  /** Runs a step and prints its result. Returns the result and the duration in milliseconds. */
  const play = async <T>(
    title: string,
    work: () => Promise<T>,
    emitted: (result: T) => string,
  ): Promise<{ result: T; ms: number }> => {
    const before = performance.now();
    const result = await work();
    const ms = performance.now() - before;
    step(screen, title, emitted(result), ms);
    return { result, ms };
  };

  await play(
    'Clock',
    () => moveClock(seller, { frozenTime: openingTime }),
    (run) => `set to ${run.targetTime.slice(0, 10)}`,
  );
  await play(
    'Catalogue',
    () => createCatalog(seller, shop),
    () =>
      `${shop.plans.length} plans, ${shop.plans.flatMap(({ prices }) => prices).length} prices, ${shop.features.length} features`,
  );
  const countries = new Set(shop.customers.map(({ address }) => address.country));
  await play(
    'Customers',
    () => createCustomers(seller, shop),
    () => `${count(shop.customers.length)} from ${countries.size} countries`,
  );
  const { result: checkouts } = await play(
    'Subscriptions',
    () => createSubscriptions(seller, shop),
    (open) => `${count(open.length)} to pay, ${count(shop.customers.length - open.length)} free`,
  );
  await play(
    'Checkouts',
    () => payCheckouts(payer, checkouts),
    (ends) =>
      `${Object.values(ends).reduce((sum, end) => sum + end, 0) - ends.abandoned} completed, ${ends.abandoned} abandoned`,
  );
  const line = progressLine(screen);
  const year = await play(
    'A year',
    async () => {
      const last = await moveClock(seller, { advanceDays: 365 }, (run) =>
        line.show(
          run.progress,
          `${run.cursorTime.slice(0, 10)}  ${count(run.completedDeadlineCount).padStart(6)} deadlines`,
        ),
      );
      line.end();
      return last;
    },
    (run) =>
      `${count(run.completedDeadlineCount)} deadlines executed, ${count(run.failedDeadlineCount)} failed`,
  );
  const { result: figuresOfYear } = await play(
    'Figures',
    () => readYear(seller, openingTime),
    () => 'read back over REST and GraphQL',
  );
  const fortnight = await playFortnight(
    seller,
    payer,
    year.result.targetTime,
    async (...part) => (await play(...part)).result,
  );
  const figures = { ...figuresOfYear, fortnight, isLedgerBalanced: await isLedgerBalanced(seller) };
  writeSummary(screen, figures, { yearMs: year.ms, totalMs: performance.now() - startedAt });
  return figures;
}
