import { Rejected } from '../output.ts';
import { command, environmentOf, readOrganization, type Session } from '../session.ts';

type Check = { readonly name: string; readonly passed: boolean; readonly message: string };

/** Maximum difference between the clocks of the service and of this machine. Webhook messages older than this are rejected. */
const maxSkewMs = 300_000;

const failure = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Checks that the service is ready, and that its clock is close to the clock of this machine. */
async function checkService({ baseUrl }: Session): Promise<Check[]> {
  try {
    const began = Date.now();
    const response = await fetch(new URL('/readyz', baseUrl), { signal: AbortSignal.timeout(5_000) });
    await response.body?.cancel();
    const skewMs = Math.abs(Date.parse(response.headers.get('date') ?? '') - began);
    return [
      { name: 'service', passed: response.ok, message: `${baseUrl} responded with ${response.status}.` },
      {
        name: 'time',
        passed: skewMs <= maxSkewMs,
        message: `The clocks differ by ${Math.round(skewMs / 1_000)} seconds.`,
      },
    ];
  } catch (error) {
    return [{ name: 'service', passed: false, message: `${baseUrl} doesn't respond: ${failure(error)}` }];
  }
}

async function checkKey({ client, apiKey }: Session): Promise<Check> {
  if (apiKey === undefined)
    return {
      name: 'key',
      passed: false,
      message: 'No API key is set. Run `quittance login` or `quittance provision`.',
    };
  try {
    const organization = await readOrganization(client);
    return {
      name: 'key',
      passed: true,
      message: `The key belongs to ${organization.name} (${environmentOf(organization)}).`,
    };
  } catch (error) {
    return { name: 'key', passed: false, message: failure(error) };
  }
}

type Endpoint = {
  readonly url: string;
  readonly isActive: boolean;
  readonly deliveries: { readonly nodes: readonly { readonly status: string }[] };
};

/** Checks the latest delivery to each webhook endpoint. */
async function checkWebhooks({ client }: Session): Promise<Check[]> {
  const { webhooks } = await client.graphql<{ webhooks: { nodes: readonly Endpoint[] } }>(
    '{ webhooks(first: 20) { nodes { url isActive deliveries(first: 1) { nodes { status } } } } }',
  );
  return webhooks.nodes.map(({ url, isActive, deliveries: { nodes } }) => {
    const latest = nodes[0]?.status ?? 'none';
    return {
      name: 'webhook',
      passed: isActive && !['failed', 'canceled'].includes(latest),
      message: `${url} is ${isActive ? 'active' : 'disabled'}. Latest delivery: ${latest}.`,
    };
  });
}

export const doctor = command({
  description: 'Check the connection, the API key, the clocks, and the webhook endpoints.',
  isOpen: true,
  run: async (session) => {
    const checks = [...(await checkService(session)), await checkKey(session)];
    if (checks.every(({ passed }) => passed)) checks.push(...(await checkWebhooks(session)));
    for (const check of checks)
      session.print(check, `${check.passed ? 'ok    ' : 'failed'} ${check.name}: ${check.message}`);
    if (checks.some(({ passed }) => !passed)) throw new Rejected('A check failed.');
  },
});
