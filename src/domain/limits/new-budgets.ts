// Budgets that don't exist yet, and that usage creates because a template covers their kind.
import { isValid, kindOf } from './admission.ts';
import type { BudgetRow, LimitRow } from './limit.ts';

/** Maximum number of budgets of a customer, including archived budgets. */
export const mostBudgets = 10_000;

/** Message of the error that a customer has too many budgets. */
export const tooManyBudgets = `A customer can have up to ${mostBudgets.toLocaleString('en')} budgets.`;

/** Customer with its plan. */
type Owner = { readonly customerId: string; readonly planId: string };

/** Returns true if a template that is currently valid covers the kind of a customer's budget. */
export const isCovered = (
  limits: readonly LimitRow[],
  { customerId, planId }: Owner,
  key: string,
  now: Date,
): boolean =>
  limits.some(
    (limit) =>
      limit.each === kindOf(key) &&
      (limit.planId === null || limit.planId === planId) &&
      (limit.customerId === null || limit.customerId === customerId) &&
      isValid(limit, now),
  );

/** New budgets of a batch. They're stored with the first accepted movement. */
export class NewBudgets {
  /** Numbers of stored budgets by customer ID. */
  readonly #counts: ReadonlyMap<string, number>;
  /** Budgets that no accepted movement has used yet. */
  readonly #unstored = new Map<string, BudgetRow>();
  /** Budgets that movements created. */
  readonly created: BudgetRow[] = [];

  constructor(counts: ReadonlyMap<string, number>) {
    this.#counts = counts;
  }

  /** Adds a budget that the first accepted movement stores. */
  add(row: BudgetRow): void {
    this.#unstored.set(row.id, row);
  }

  /** Returns true if a budget is stored already, or if its customer can have another budget. */
  hasRoom({ id, customerId }: BudgetRow): boolean {
    if (!this.#unstored.has(id)) return true;
    const created = this.created.filter((row) => row.customerId === customerId).length;
    return (this.#counts.get(customerId) ?? 0) + created < mostBudgets;
  }

  /** Stores the budgets of an accepted movement that don't exist yet. */
  create(nodes: readonly { readonly id: string }[]): void {
    const created = nodes.flatMap(({ id }) => this.#unstored.get(id) ?? []);
    this.created.push(...created);
    for (const { id } of created) this.#unstored.delete(id);
  }

  /** Undoes the creation of all budgets after the first `count`. */
  uncreate(count: number): void {
    for (const row of this.created.splice(count)) this.add(row);
  }
}
