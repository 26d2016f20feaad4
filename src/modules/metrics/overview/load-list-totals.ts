import type { Page } from '../../../graphql/reading/connections.ts';
import { type CustomerSums, selectCustomerSums } from './store.ts';

/** Loads the totals of all customers in a list, by currency. `null` if the list has more than `upTo` customers. Runs two SQL statements. */
export const loadListTotals = (page: Page<object>, upTo: number) =>
  page.derived(selectCustomerSums, upTo) as Promise<readonly CustomerSums[] | null>;
