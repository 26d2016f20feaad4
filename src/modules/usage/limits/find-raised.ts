import { validationError } from '../../../domain/errors/errors.ts';
import { limitedCaller } from '../../../domain/limits/limit.ts';
import type { Context } from '../../../request/context.ts';
import { type CustomerRow, requireCustomer } from '../../customers/customers/store.ts';
import { scopeOf } from './resolve-scope.ts';
import type { StoredLimit } from './store.ts';

/** Node in a request. */
type NodeInput = {
  readonly customer?: string | null | undefined;
  readonly budget?: string | null | undefined;
  readonly apiKey?: string | null | undefined;
  readonly member?: string | null | undefined;
};

/** Customer, API key, or member whose limit on operations is raised. `customer` is `null` unless the node is a customer. */
type RaisedNode = { readonly id: string; readonly customer: CustomerRow | null };

const outside = (): Error =>
  validationError([
    { field: 'node', message: 'must be a customer, API key, or member to which the limit applies' },
  ]);

/** Returns the node of a request, or the node of the limit. Throws `validation_error` if the limit doesn't apply to the node. */
export async function raisedOperationNode(
  tx: Context,
  limit: StoredLimit,
  node: NodeInput | null,
): Promise<RaisedNode> {
  const own = limit.apiKeyId ?? limit.memberId ?? (limit.each === null ? limit.customerId : null);
  const isCustomer = limitedCaller(limit) === null;
  if (node === null) {
    if (own === null) throw validationError([{ field: 'node', message: 'is required for a template' }]);
    return { id: own, customer: isCustomer ? await requireCustomer(tx, own, 'node.customer') : null };
  }
  if (node.budget != null)
    throw validationError([{ field: 'node.budget', message: "isn't used by limits on operations" }]);
  const { customerId, apiKeyId, memberId } = await scopeOf(tx, node);
  const caller = { apiKey: apiKeyId, member: memberId }[limitedCaller(limit) ?? 'apiKey'];
  const id = isCustomer ? customerId : caller;
  if (id === null || (own !== null && own !== id)) throw outside();
  return { id, customer: isCustomer ? await requireCustomer(tx, id, 'node.customer') : null };
}
