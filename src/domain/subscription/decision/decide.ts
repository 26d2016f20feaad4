import { defaultRejection } from '../../errors/errors.ts';
import { NotBillableError } from '../../invoicing/billable.ts';
import { TaxNotComputedError } from '../../tax/tax.ts';
import { taxRejection } from '../invoicing/taxing.ts';
import { followTopUps } from '../purchases/follow-topups.ts';
import type { Aggregate, Decision, DecisionDeps } from '../state/aggregate.ts';
import { Draft } from '../state/draft.ts';
import { fieldRejection } from '../state/rejections.ts';
import { type Command, definitionOf, outlivesCustomer } from './command.ts';
import { recordRecurring } from './record-recurring.ts';

/** API input fields that are reported if the invoice amount is too large. The field of other commands is `amount`. */
const amountFields: { readonly [kind in Command['kind']]?: string } = {
  'subscription.change_plan': 'newPlanId',
  'subscription.create': 'planId',
  'addon.activate': 'addonId',
  'commitment.purchase': 'price',
  'auto_topup.set': 'refill',
};

/**
 * Determines the effects of a command on the billing state of one customer. This pure function reads only its arguments
 * and doesn't modify them. Invalid input is returned as a rejection. Throws only for states that indicate a bug.
 */
export function decide(aggregate: Aggregate, command: Command, deps: DecisionDeps): Decision {
  try {
    const draft = new Draft(aggregate, command, deps);
    if (aggregate.customer.deletedAt !== null && !outlivesCustomer(command))
      return draft.reject(defaultRejection('customer_not_found', { param: 'customerId' }));
    return recordRecurring(draft, followTopUps(draft, definitionOf(command).decide(draft, command)));
  } catch (error) {
    // Tax and invoice size are checked while an invoice is issued. If a check fails, all changes from the
    // decision are discarded (BIL-20, GLO-14a).
    if (error instanceof TaxNotComputedError)
      return new Draft(aggregate, command, deps).reject(taxRejection(error));
    if (error instanceof NotBillableError)
      return new Draft(aggregate, command, deps).reject(
        fieldRejection(amountFields[command.kind] ?? 'amount', error.message),
      );
    throw error;
  }
}
