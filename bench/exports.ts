import { performance } from 'node:perf_hooks';
import type { Writable } from 'node:stream';
import pg from 'pg';
import { apiKey, startProduct } from './children.ts';
import { createDatabase, dropDatabase, onDatabase } from './database.ts';
import { median } from './table.ts';
import { closeWorld, openWorld, sandboxOf } from './world.ts';

/** Rows per second, CPU time per row in microseconds, and resident memory in MiB, for export streams and for `COPY`. */
export type ExportTimes = {
  readonly rows: number;
  readonly bytes: number;
  readonly streamed: number;
  readonly copied: number;
  readonly ratio: number;
  readonly processor: number;
  readonly memory: { readonly start: number; readonly peak: number };
};

/** Columns in the exported file. The `COPY` statement selects the same values. */
const columns = ['id', 'externalId', 'fullName', 'email', 'timezone', 'metadata', 'createdAt', 'updatedAt'];
const copying = (sandbox: string): string =>
  `COPY (SELECT ${columns.map((column) => `"${column}"`).join(', ')} FROM "Customer" WHERE "environmentId" = '${sandbox}' ORDER BY "createdAt", seq) TO STDOUT (FORMAT csv, HEADER)`;

async function seed(client: pg.Client, sandbox: string, rows: number): Promise<void> {
  await client.query(
    `INSERT INTO "Customer" ("environmentId", id, seq, "externalId", email, "emailKey", "fullName", "searchText", timezone, "requireBudget", "sortMrr", "sortOutstanding", "sortPaid", "sortStatus", "sortPlan", metadata, "createdAt", "updatedAt")
     SELECT $1, 'cus_b' || n, n, 'b' || n, 'b' || n || '@example.com', 'b' || n || '@example.com', 'Customer ' || n, 'customer ' || n, 'UTC', false, 0, 0, 0, 0, '', '{"segment": "b"}', '2026-01-01Z'::timestamptz + n * interval '1 ms', now()
     FROM generate_series(1, $2::int) n`,
    [sandbox, rows],
  );
  await client.query('UPDATE "EnvironmentCounter" SET seq = greatest(seq, $2) WHERE "environmentId" = $1', [
    sandbox,
    rows,
  ]);
  await client.query('VACUUM ANALYZE "Customer"');
}

type Read = { readonly seconds: number; readonly rows: number; readonly bytes: number };

/** Returns a counter for rows and bytes. Each line break ends a row. The header isn't counted. */
function counter() {
  let [rows, bytes] = [-1, 0];
  return {
    add: (piece: Uint8Array): void => {
      bytes += piece.length;
      for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) rows++;
    },
    since: (began: number): Read => ({ seconds: (performance.now() - began) / 1_000, rows, bytes }),
  };
}

async function readStream(url: string): Promise<Read> {
  const began = performance.now();
  const query = new URLSearchParams({ kind: 'customers', format: 'csv', columns: columns.join(',') });
  const answer = await fetch(`${url}/api/v1/exports/stream?${query}`, { headers: { 'x-api-key': apiKey } });
  if (answer.status !== 200 || answer.body === null)
    throw new Error(`The stream responded with ${answer.status}.`);
  const counted = counter();
  for await (const piece of answer.body) counted.add(piece);
  return counted.since(began);
}

/** Internal connection of the driver, which emits the `COPY` data. */
type Wire = pg.Connection & { readonly stream: Writable; readonly query: (text: string) => void };

/** Reads the output of `COPY … TO STDOUT` in the chunks that the driver receives. */
async function readCopy(url: string, text: string): Promise<Read> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const began = performance.now();
    const counted = counter();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    client.query({
      submit: (connection: Wire) => connection.query(text),
      handleCopyData: ({ chunk }: { chunk: Buffer }) => counted.add(chunk),
      handleCommandComplete: () => undefined,
      handleReadyForQuery: () => resolve(),
      handleError: reject,
    } as unknown as pg.Submittable);
    await promise;
    return counted.since(began);
  } finally {
    await client.end();
  }
}

/** Exports customers alternately with Quittance's export stream and with `COPY`. */
export async function measureExports(rows: number, rounds: number): Promise<ExportTimes> {
  const url = await createDatabase();
  await closeWorld(await openWorld(url));
  const sandbox = await sandboxOf(url);
  await onDatabase(url, (client) => seed(client, sandbox, rows));
  const product = await startProduct(url);
  try {
    const memory = { start: 0, peak: 0 };
    const reads: { readonly streamed: Read; readonly copied: Read; readonly processor: number }[] = [];
    for (let round = 0; round <= rounds; round++) {
      if (round === 1) memory.start = await product.residentMb();
      let isReading = true;
      const watching = (async () => {
        while (isReading) {
          memory.peak = Math.max(memory.peak, await product.residentMb());
          await new Promise((resolve) => setTimeout(resolve, 250));
        }
      })();
      const before = await product.cpuSeconds();
      const streamed = await readStream(product.url);
      const processor = (await product.cpuSeconds()) - before;
      isReading = false;
      await watching;
      const copied = await readCopy(url, copying(sandbox));
      if (streamed.rows !== rows || copied.rows !== rows)
        throw new Error(`${streamed.rows} rows were streamed and ${copied.rows} copied instead of ${rows}.`);
      // The first round is a warm-up.
      if (round > 0) reads.push({ streamed, copied, processor });
    }
    const perSecond = (of: 'streamed' | 'copied'): number =>
      median(reads.map((read) => rows / read[of].seconds));
    return {
      rows,
      bytes: reads[0]?.streamed.bytes ?? 0,
      streamed: perSecond('streamed'),
      copied: perSecond('copied'),
      ratio: median(reads.map(({ streamed, copied }) => copied.seconds / streamed.seconds)),
      processor: (median(reads.map(({ processor }) => processor)) * 1_000_000) / rows,
      memory,
    };
  } finally {
    await product.stop();
    await dropDatabase(url);
  }
}
