import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

// Baseline for the request benchmarks: `node:http` and `pg` with prepared statements, without authentication, limits, or validation.
// Returns the same responses as Quittance.

const environmentId = process.env['BENCH_ENVIRONMENT'];
const pool = new pg.Pool({
  connectionString: process.env['DATABASE_URL'],
  max: 10,
  options: '-c timezone=UTC',
});

type Row = Record<string, unknown>;

/** Executes a prepared statement. `$1` is the environment ID. */
const select = async (name: string, text: string, params: unknown[]): Promise<Row[]> =>
  (await pool.query<Row>({ name, text, values: [environmentId, ...params] })).rows;

const cursorOf = (row: Row | undefined): string | null =>
  row === undefined
    ? null
    : Buffer.from(`${(row['createdAt'] as Date).getTime()}.${row['seq']}`).toString('base64url');

const customerColumns =
  'id, "externalId", "fullName", email, "taxDocument", "documentType", timezone, metadata, "createdAt", "updatedAt", seq';

const readCustomers = (): Promise<Row[]> =>
  select(
    'customers',
    `SELECT ${customerColumns} FROM "Customer" WHERE "environmentId" = $1 ORDER BY "createdAt" DESC, seq DESC LIMIT $2`,
    [26],
  );

async function restList(): Promise<string> {
  const rows = await readCustomers();
  const shown = rows.slice(0, 25);
  const data = shown.map(({ seq: _seq, ...row }) => ({ ...row, object: 'customer', livemode: false }));
  return JSON.stringify({
    object: 'list',
    data,
    hasMore: rows.length > 25,
    nextCursor: cursorOf(shown.at(-1)),
  });
}

const idsOf = (rows: readonly Row[]): unknown[] => rows.map((row) => row['id']);

/** Executes one statement per level: customers, subscriptions, latest invoices, and line items. */
async function nestedPage(): Promise<string> {
  const customers = (await readCustomers()).slice(0, 25);
  const subscriptions = await select(
    'subscriptions',
    `SELECT id, "customerId", status, "startDate" FROM "Subscription" WHERE "environmentId" = $1 AND "customerId" = ANY($2) AND status <> 'canceled'`,
    [idsOf(customers)],
  );
  const invoices = await select(
    'invoices',
    `SELECT page.* FROM unnest($2::text[]) AS parent(id) CROSS JOIN LATERAL (
       SELECT id, "subscriptionId", number, status, total, "issueDate" FROM "Invoice" t WHERE t."environmentId" = $1 AND t."subscriptionId" = parent.id
       ORDER BY t."createdAt" DESC, t.seq DESC LIMIT 5) AS page`,
    [idsOf(subscriptions)],
  );
  const lines = await select(
    'lines',
    `SELECT "invoiceId", description, quantity, amount FROM "InvoiceLine" WHERE "environmentId" = $1 AND "invoiceId" = ANY($2) ORDER BY position`,
    [idsOf(invoices)],
  );
  const linesOf = Map.groupBy(lines, (line) => line['invoiceId']);
  const invoicesOf = Map.groupBy(invoices, (invoice) => invoice['subscriptionId']);
  const subscriptionOf = new Map(
    subscriptions.map((subscription) => [subscription['customerId'], subscription]),
  );
  const invoice = ({ id, number, status, total, issueDate }: Row) => ({
    node: {
      id,
      invoiceNumber: `INV-${String(number).padStart(4, '0')}`,
      status,
      total: Number(total),
      issueDate,
      lineItems: (linesOf.get(id) ?? []).map((line) => ({
        description: line['description'],
        quantity: Number(line['quantity']),
        amount: Number(line['amount']),
      })),
    },
  });
  const subscription = ({ id, status, startDate }: Row) => ({
    id,
    status,
    startDate,
    invoices: { edges: (invoicesOf.get(id) ?? []).map(invoice) },
  });
  const edges = customers.map(({ id, fullName, email }) => {
    const own = subscriptionOf.get(id);
    return { node: { id, fullName, email, subscription: own === undefined ? null : subscription(own) } };
  });
  return JSON.stringify({ data: { customers: { edges } } });
}

type UsageBody = { readonly customerId: string; readonly featureCode: string; readonly eventId: string };

let seq = 1_000_000_000;

/** Feature that all usage events refer to, because the bare server has no catalog. */
const featureId = process.env['BENCH_FEATURE'];

/** Inserts a row into the table that Quittance uses, with all indexes and foreign keys. Each event ID is stored only once. */
async function recordUsage(body: UsageBody): Promise<string> {
  const id = `evt_${crypto.randomUUID()}`;
  const now = new Date();
  await select(
    'usage',
    `INSERT INTO "UsageEvent" ("environmentId", id, seq, "eventId", "customerId", "subscriptionId", "featureId", value, "consumptionModel",
       properties, ts, "windowStart", "createdAt")
     VALUES ($1, $2, $3, $4, $5, 'sub_bare', $6, 1, 'metered', '[]', $7, $7, $7) ON CONFLICT ("environmentId", "eventId") DO NOTHING`,
    [id, ++seq, body.eventId, body.customerId, featureId, now],
  );
  const { customerId, featureCode, eventId } = body;
  const times = { ts: now, createdAt: now };
  return JSON.stringify({
    id,
    featureCode,
    value: 1,
    customerId,
    eventId,
    ...times,
    properties: [],
    object: 'usage_event',
    livemode: false,
  });
}

/** Reads a customer's usage of the feature with one SQL statement. */
async function featureAccess(customerId: string): Promise<string> {
  const [row] = await select(
    'access',
    `SELECT s.status, s."windowStart", s."windowEnd", c.total FROM "Subscription" s LEFT JOIN "UsageCounter" c
       ON c."environmentId" = s."environmentId" AND c."subscriptionId" = s.id AND c."featureId" = $3
     WHERE s."environmentId" = $1 AND s."customerId" = $2 AND s.status IN ('trialing', 'active', 'past_due')`,
    [customerId, featureId],
  );
  const period = { start: row?.['windowStart'], end: row?.['windowEnd'] };
  const consumption = {
    model: 'metered',
    period,
    unitsUsed: Number(row?.['total'] ?? 0),
    includedUnits: 0,
    unlimited: true,
  };
  return JSON.stringify({
    code: 'calls',
    name: 'calls',
    allowed: row !== undefined,
    type: 'usage',
    consumption,
    object: 'feature_access',
  });
}

/** Returns the CPU time in the same format as Quittance's metrics. */
async function metrics(): Promise<string> {
  const { user, system } = process.cpuUsage();
  return `process_cpu_seconds_total ${(user + system) / 1e6}`;
}

const answers: Readonly<Record<string, () => Promise<string>>> = {
  '/graphql': nestedPage,
  '/metrics': metrics,
};

async function bodyOf(request: IncomingMessage): Promise<UsageBody> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

function answerTo(request: IncomingMessage): Promise<string> {
  const url = request.url ?? '';
  if (request.method === 'POST' && url.startsWith('/usage')) return bodyOf(request).then(recordUsage);
  request.resume();
  const [, customerId] = /^\/feature-access\/\w+\?customerId=(.+)$/.exec(url) ?? [];
  return customerId === undefined ? (answers[url] ?? restList)() : featureAccess(customerId);
}

const server = createServer((request, response) => {
  answerTo(request).then(
    (body) =>
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
        .end(body),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});

server.listen(0, '127.0.0.1', () =>
  console.log(`The bare server listens at http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
process.on('SIGTERM', () => process.exit(0));
