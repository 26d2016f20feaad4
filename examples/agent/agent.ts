import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

// Agent that works under a policy: it sells a plan, refunds a payment, meets the limit of its key, waits for an approval, and continues. A language model would
// choose the same calls.

const { QUITTANCE_URL = '', QUITTANCE_API_KEY = '', TRANSACTION_ID = '' } = process.env;

const client = new Client({ name: 'example-agent', version: '1.0.0' });
await client.connect(
  new StreamableHTTPClientTransport(new URL('/mcp', QUITTANCE_URL), {
    requestInit: { headers: { authorization: `Bearer ${QUITTANCE_API_KEY}` } },
  }),
);

type Values = Readonly<Record<string, unknown>>;
type Failure = {
  readonly error?: {
    readonly message: string;
    readonly details?: { readonly reason?: string; readonly approvalId?: string };
  };
};

/** Calls a tool. A rejection is part of the result, so that a model can read it. */
async function call(name: string, values: Values): Promise<Values & Failure> {
  const { structuredContent } = await client.callTool({ name, arguments: values });
  return (structuredContent ?? {}) as Values & Failure;
}

/** Calls a tool that must succeed. */
async function must(name: string, values: Values): Promise<Values> {
  const result = await call(name, values);
  if (result.error !== undefined) throw new Error(`${name}: ${result.error.message}`);
  return result;
}

// Another run finds the plan, so the catalog is created once.
const found = await call('plan', { id: 'support' });
if (found.error !== undefined) {
  await must('plan_create', { name: 'Support', code: 'support' });
  await must('plan_price_add', { id: 'support', billingInterval: 'monthly', price: 9_900 });
}
console.log('The plan support is on sale.');

const refund = { id: TRANSACTION_ID, idempotencyKey: `refund-${TRANSACTION_ID}` };
const first = await call('transaction_refund', refund);
const { reason, approvalId } = first.error?.details ?? {};
if (first.error === undefined) console.log('The payment is refunded.');
else if (reason !== 'approval_required' || approvalId === undefined) throw new Error(first.error.message);
else {
  console.log(`The refund requires the approval ${approvalId}.`);
  let status: unknown = 'pending';
  while (status === 'pending') {
    await new Promise((resolve) => setTimeout(resolve, 500));
    ({ status } = await must('call_operation', { operation: 'approval', arguments: { id: approvalId } }));
  }
  if (status === 'approved') {
    await must('transaction_refund', { id: TRANSACTION_ID, approvalId });
    console.log('The payment is refunded with the approval.');
  } else console.log(`The approval is ${String(status)}.`);
}
await client.close();
