import { type Account, type LedgerFact, postings } from './post.ts';

/** Total amount of all transfers that record the same fact, in minor units of one currency. */
export type FactAmount = { readonly fact: string; readonly currency: string; readonly amount: bigint };

/** Debit and credit totals of an account, in minor units of one currency. */
export type AccountSum = {
  readonly name: Account;
  readonly currency: string;
  readonly debit: bigint;
  readonly credit: bigint;
};

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const isFact = (fact: string): fact is LedgerFact => Object.hasOwn(postings, fact);

/** Returns the totals of each account, sorted by currency and name. Throws for unknown facts. */
export function accountSums(facts: readonly FactAmount[]): AccountSum[] {
  const sums = new Map<string, AccountSum>();
  const add = (name: Account, currency: string, debit: bigint, credit: bigint): void => {
    const key = `${currency} ${name}`;
    const sum = sums.get(key) ?? { name, currency, debit: 0n, credit: 0n };
    sums.set(key, { ...sum, debit: sum.debit + debit, credit: sum.credit + credit });
  };
  for (const { fact, currency, amount } of facts) {
    if (!isFact(fact)) throw new RangeError(`The ledger has no fact ${fact}.`);
    const { debit, credit } = postings[fact];
    add(debit, currency, amount, 0n);
    add(credit, currency, 0n, amount);
  }
  return [...sums.values()].sort((a, b) => compare(a.currency, b.currency) || compare(a.name, b.name));
}
