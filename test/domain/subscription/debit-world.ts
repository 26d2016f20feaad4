import type { Catalog } from '../../../src/domain/pricing/catalog.ts';
import type { MethodDetails } from '../../../src/domain/rows/rows.ts';
import { vaultDebit } from '../../../src/providers/sandbox-debits.ts';
import { simplePlan } from './catalog.ts';
import { at, card, customer, World } from './world.ts';

// Customers of the simulated bank, and reports about their debits.

export const account = (token: string): MethodDetails => {
  const method = vaultDebit(`tok_sandbox_${token}`);
  if (method === null) throw new Error(`no account ${token}`);
  return method;
};
export const sepa = (behaviour: string, last4: string): MethodDetails =>
  account(`sepa_debit_${behaviour}_${last4}`);
export const settles = sepa('settles', '3000');
export const ach = account('ach_debit_settles_6789');

/** Plan with a price in euros for payers in Germany. */
export const euro = (interval: 'monthly' | 'weekly' = 'monthly'): Catalog => ({
  ...simplePlan(interval, 5_000n),
  priceOverrides: new Map([
    [
      'p1',
      [
        {
          id: 'eur',
          seq: 1n,
          priceId: 'p1',
          marketId: null,
          currency: 'eur',
          amountMinor: 5_831n,
          includedBalanceRate: null,
          validFrom: at('0001-01-01'),
          validTo: null,
        },
      ],
    ],
  ]),
  currencyOfCountry: new Map([['DE', 'eur']]),
});
export const german = { customer: { ...customer, country: 'DE' } };

/** Opens a subscription on a date, paid by a method. */
export const subscribed = (date: string, method: MethodDetails, plan = euro()): World => {
  const world = new World(date, plan, german);
  world.create(null, { planId: 'cove' });
  world.pay(null, method);
  return world;
};

/** Monthly subscription by card whose next renewals are debited from an account. */
export const renewedBy = (method: MethodDetails, date = '2027-02-02'): World => {
  const world = subscribed(date, card);
  world.do(null, {
    kind: 'method.update',
    subscriptionId: world.subscription.id,
    method,
    abandoned: null,
  });
  void world.sent;
  return world;
};

/** Times and types of the events since the last call, without notices. */
export const timeline = (world: World): string[] => {
  const from = world.events.length - world.sent.length;
  return world.events
    .slice(from)
    .filter(({ kind }) => kind !== 'invoice.upcoming' && kind !== 'customer.state_changed')
    .map(({ kind, occurredAt }) => `${occurredAt.toISOString().slice(5, 16)} ${kind}`);
};
export const stages = (world: World): string[] => world.aggregate.transactions.map(({ stage }) => stage);
export const latest = (world: World) => {
  const row = world.aggregate.transactions.at(-1);
  if (row === undefined) throw new Error('no attempt');
  return row;
};
export const date = (instant: Date | null): string | null => instant?.toISOString().slice(0, 10) ?? null;
