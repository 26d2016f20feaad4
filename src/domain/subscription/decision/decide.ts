import { defaultRejection } from '../../errors.ts';
import { TaxNotComputedError } from '../../tax.ts';
import { taxRejection } from '../invoicing/taxing.ts';
import type { Aggregate, Decision, DecisionDeps } from '../state/aggregate.ts';
import { Draft } from '../state/draft.ts';
import { type Command, definitionOf, outlivesCustomer } from './command.ts';
import { recordRecurring } from './record-recurring.ts';

/**
 * Decides a command on one customer's billing state. Pure: it reads only its arguments, writes nothing and
 * leaves the aggregate as it was. Throws only for states that must not exist; whatever a caller can do wrong
 * is an outcome.
 */
export function decide(aggregate: Aggregate, command: Command, deps: DecisionDeps): Decision {
  try {
    const draft = new Draft(aggregate, command, deps);
    if (aggregate.customer.deletedAt !== null && !outlivesCustomer(command))
      return draft.reject(defaultRejection('customer_not_found', { param: 'customerId' }));
    return recordRecurring(draft, definitionOf(command).decide(draft, command));
  } catch (error) {
    // The tax is computed while an invoice is issued. A failure drops what was decided so far, so that
    // nothing changes (BIL-20).
    if (error instanceof TaxNotComputedError)
      return new Draft(aggregate, command, deps).reject(taxRejection(error));
    throw error;
  }
}
