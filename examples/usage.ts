import type { Client } from './client.ts';
import { moveClock } from './clock.ts';
import { createLink, payLink, payoutStatus, readBalance, refundLink, requestPayout } from './payments.ts';
import {
  changePlan,
  createGroup,
  grantHigher,
  includedCalls,
  paidTotals,
  subscribe,
} from './plan-changes.ts';
import { count, dollars } from './terminal.ts';

// Runs the two weeks after the simulated year: a plan grant, plan changes, a payment link with a refund, and a payout.

/** Results of the two weeks after the simulated year. Amounts are in US cents. */
export type Fortnight = {
  /** Included calls per week, during and after the plan grant. */
  readonly calls: { readonly granted: number; readonly after: number };
  /** Payments by the customer who changes plans, in order: the lower plan, the upgrade, and the lower plan again. */
  readonly charges: readonly number[];
  /** Result for each card used on the payment link, and the refunded amount. */
  readonly link: { readonly cards: readonly string[]; readonly refunded: number };
  /** Amount and status of the payout, and the balance that is available after the payout. */
  readonly payout: { readonly amount: number; readonly status: string; readonly availableAfter: number };
};

/** Runs a step, prints its result, and returns it. */
export type Tell = <T>(title: string, work: () => Promise<T>, emitted: (result: T) => string) => Promise<T>;

/** Returns the time `days` days after `from`. */
const later = (from: string, days: number): string =>
  new Date(Date.parse(from) + days * 86_400_000).toISOString();

/** Runs the two weeks after the simulated year, starting at the test clock's current time. `payer` doesn't need an API key. */
export async function playFortnight(
  seller: Client,
  payer: Client,
  from: string,
  emit: Tell,
): Promise<Fortnight> {
  const until = (days: number) => moveClock(seller, { frozenTime: later(from, days) });
  const subscriptionId = await emit(
    'Plan group',
    async () => {
      await createGroup(seller);
      return subscribe(seller, payer);
    },
    () => 'Studio: weekly plans Solo and Crew; Solo sold',
  );
  const calls = await emit(
    'Plan grant',
    async () => {
      await grantHigher(seller, subscriptionId, later(from, 2));
      const granted = await includedCalls(seller);
      await until(3);
      return { granted, after: await includedCalls(seller) };
    },
    ({ granted, after }) => `Crew for 2 days: ${count(granted)} calls, then ${count(after)}`,
  );
  const link = await emit(
    'Payment link',
    async () => {
      const made = await createLink(seller);
      const cards = [await payLink(payer, made, 'isDeclined'), await payLink(payer, made, 'pays')];
      return { cards, refunded: await refundLink(seller, made) };
    },
    ({ cards, refunded }) => `${cards.join(', then ')}; ${dollars(refunded)} refunded`,
  );
  const charges = await emit(
    'Plan changes',
    async () => {
      const up = await changePlan(seller, subscriptionId, 'higher');
      const down = await changePlan(seller, subscriptionId, 'lower');
      if (up.outcome !== 'completed' || down.outcome !== 'scheduled')
        throw new Error(`The upgrade is ${up.outcome}, the downgrade is ${down.outcome}.`);
      // Advances to one day after the end of the week in which the upgrade started.
      await until(11);
      return paidTotals(seller, subscriptionId);
    },
    (paid) => `up now, down a week later: ${paid.map(dollars).join(', ')}`,
  );
  const payout = await emit(
    'Payout',
    async () => {
      const { available: amount } = await readBalance(seller);
      const id = await requestPayout(seller, amount);
      await until(14);
      return {
        amount,
        status: await payoutStatus(seller, id),
        availableAfter: (await readBalance(seller)).available,
      };
    },
    ({ amount, status }) => `${dollars(amount)} released, paid out and ${status}`,
  );
  return { calls, charges, link, payout };
}
