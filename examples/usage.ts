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

// After the year, two weeks at the desk: a plan lent, changed up and down, a payment link sold and refunded, and the money taken out.

/** What came out of the two weeks. Amounts are US cents. */
export type Fortnight = {
  /** Calls included in a week while the higher plan was lent, and after that. */
  readonly calls: { readonly lent: number; readonly after: number };
  /** What the customer of the two plans paid, in order: the lower plan, the change up at once, the lower plan again. */
  readonly charges: readonly number[];
  /** What each card at the link came to, and what went back. */
  readonly link: { readonly cards: readonly string[]; readonly refunded: number };
  /** What was taken out, what the bank made of it, and what could be taken out then. */
  readonly payout: { readonly amount: number; readonly status: string; readonly availableAfter: number };
};

/** Runs a part of a story and tells it when it is done. Answers what it answered. */
export type Tell = <T>(title: string, work: () => Promise<T>, emitted: (result: T) => string) => Promise<T>;

/** The time on a clock that stood at `from`, this many days on. */
const later = (from: string, days: number): string =>
  new Date(Date.parse(from) + days * 86_400_000).toISOString();

/** Plays the two weeks from the time at which the clock stands. `payer` needs no key. */
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
    () => 'Studio: Solo and Crew by the week; Solo sold',
  );
  const calls = await emit(
    'Plan grant',
    async () => {
      await grantHigher(seller, subscriptionId, later(from, 2));
      const lent = await includedCalls(seller);
      await until(3);
      return { lent, after: await includedCalls(seller) };
    },
    ({ lent, after }) => `Crew for two days: ${count(lent)} calls, then ${count(after)}`,
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
        throw new Error(`Up is ${up.outcome}, down is ${down.outcome}.`);
      // A day past the end of the week that the change up began.
      await until(11);
      return paidTotals(seller, subscriptionId);
    },
    (paid) => `up at once, down a week later: ${paid.map(dollars).join(', ')}`,
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
    ({ amount, status }) => `${dollars(amount)} released, taken out and ${status}`,
  );
  return { calls, charges, link, payout };
}
