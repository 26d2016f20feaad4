// Checks of limits on operations in requests.
import { countsOperations, type LimitedCaller, type LimitWindowKind, limitedCaller } from './limit.ts';
import { hasTwice, type LimitTerms, problem, type Rule } from './limit-terms.ts';
import { customerOperations } from './system-operations.ts';

/** Windows of limits on operations, which don't depend on a subscription. */
const windows: ReadonlySet<LimitWindowKind> = new Set([
  'rolling',
  'session',
  'fixed',
  'day',
  'week',
  'month',
  'lifetime',
]);

/** Limits on the operations of a customer count the operations that the organization and the portal share. */
const customerProblems: Rule = ({ measure, filter, action, each, budgetKey }) => {
  const operations = filter.operations ?? [];
  const known: readonly string[] = customerOperations;
  if (measure === 'calls' && operations.length === 0)
    return problem('filter.operations', 'must have at least 1 item');
  if (operations.some((name) => !known.includes(name)))
    return problem('filter.operations', `must contain only these operations: ${known.join(', ')}`);
  if (budgetKey !== null) return problem('scope.budget', "isn't used by limits on operations");
  if (each !== null && each !== 'customer')
    return problem('scope.each', 'must be `customer`, `apiKey`, or `member` for limits on operations');
  return action === 'block' || action === 'notify'
    ? []
    : problem('action', 'must be `block` or `notify` for limits on operations of a customer');
};

/** Actions of limits on the operations of API keys and members. Only API keys request approvals. */
const callerActions: { readonly [caller in LimitedCaller]: readonly string[] } = {
  apiKey: ['block', 'notify', 'approve'],
  member: ['block', 'notify'],
};

const callerProblems = (caller: LimitedCaller, terms: LimitTerms): ReturnType<Rule> => {
  const { action, planId, customerId, measure, currency, channels } = terms;
  if (planId !== null || customerId !== null)
    return problem('scope.in', 'must be `organization` for API keys and members');
  if (!callerActions[caller].includes(action)) {
    const allowed = callerActions[caller].map((name) => `\`${name}\``).join(', ');
    return problem('action', `must be one of these for this scope: ${allowed}`);
  }
  if (measure === 'money' && currency !== 'usd')
    return problem('currency', 'must be `usd` for API keys and members');
  return channels.some((channel) => channel === 'customer_email' || channel === 'portal')
    ? problem('channels', 'must be `webhook` or `merchant_email` for API keys and members')
    : [];
};

/** Checks a limit that counts operations. */
export const operationProblems: Rule = (terms) => {
  const { measure, filter, window, share } = terms;
  const { operations = [], features, dimensions } = filter;
  if (!countsOperations(terms)) return [];
  if (measure !== 'calls' && measure !== 'money')
    return problem('measure', 'must be `calls` or `money` for limits on operations');
  if (hasTwice(operations)) return problem('filter.operations', 'must not contain an operation twice');
  if (features.length + dimensions.length > 0)
    return problem('filter.operations', 'must not be set together with `features` or `dimensions`');
  if (share !== null) return problem('amount', "can't be a share for limits on operations");
  const isAvailable = windows.has(window.kind) || (window.kind === 'event' && measure === 'money');
  if (!isAvailable) return problem('window.kind', "isn't available for limits on operations");
  const caller = limitedCaller(terms);
  return caller === null ? customerProblems(terms) : callerProblems(caller, terms);
};
