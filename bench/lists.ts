import { parseArgs } from 'node:util';
import { execute, parse } from 'graphql';
import { declaredLists } from '../src/graphql/reading/lists.ts';
import { createOrganization } from '../src/modules/organization/organizations/create.ts';
import { parseConfig } from '../src/platform/config.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { openDatabase } from '../src/platform/db/open.ts';
import type { Query } from '../src/platform/db/pool.ts';
import { openLog } from '../src/platform/log.ts';
import { deriveSecrets } from '../src/platform/secrets.ts';
import { systemContext } from '../src/request/context.ts';
import { schema } from '../src/schema.ts';
import { createApp } from '../src/start.ts';
import { listCases } from '../test/support/list-cases.ts';
import { makeListRows } from '../test/support/list-rows.ts';
import { createDatabase, dropAll } from './database.ts';

// Measures the database time for the first and the hundredth page of each list with many rows, for each filter, search, and sort order.

const { values: options } = parseArgs({
  options: { rows: { type: 'string', default: '1000000' }, goal: { type: 'string', default: '20' } },
});
const [rows, goalMs] = [Number(options.rows), Number(options.goal)];
const pageSize = 25;

// The timeouts are high because a few slow statements create the rows.
const databaseTimeouts = { statementMs: 3_600_000, idleTransactionMs: 3_600_000, silenceMs: 3_600_000 };
const database = await openDatabase({
  databaseUrl: await createDatabase(),
  databasePoolSize: 2,
  databaseTimeouts,
  dataDir: '',
});
const config = parseConfig({ DATA_DIR: 'memory:', LOG_LEVEL: 'silent', PUBLIC_URL: 'https://bill.test' });
const parts = {
  config,
  database,
  log: openLog('silent'),
  secrets: deriveSecrets('a secret of thirty-two characters'),
};
const app = await createApp({ ...parts, wall: { now: () => new Date() } });

type Statement = { readonly text: string; readonly params: readonly unknown[] };

/** Executes an operation and returns its data and its SQL statements. */
async function run(environmentId: string, text: string, variableValues: Record<string, unknown>) {
  const statements: Statement[] = [];
  const query: Query = (statement, params, rowOf) => {
    statements.push({ text: statement, params: params ?? [] });
    return database.query(statement, params, rowOf);
  };
  const contextValue = await systemContext({ ...app, database: { ...database, query } }, environmentId);
  statements.length = 0;
  const { data, errors } = await execute({ schema, document: parse(text), variableValues, contextValue });
  if (errors !== undefined) throw new Error(`${text}: ${JSON.stringify(errors)}`);
  return { data: data as Record<string, { marks: { cursors: string[] } }>, statements };
}

/** Returns the median duration of three executions in milliseconds, and the first node of the query plan. */
async function timeOf({ text, params }: Statement): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 3; round++) {
    const plan = await database.query<Record<'QUERY PLAN', string>>(
      `EXPLAIN (ANALYZE, TIMING off) ${text}`,
      params,
    );
    const line = plan.map((row) => row['QUERY PLAN']).find((step) => step.startsWith('Execution Time'));
    times.push(Number(/[\d.]+/.exec(line ?? '')?.[0]));
  }
  return times.toSorted((a, b) => a - b)[1] ?? Number.NaN;
}

async function measure(): Promise<void> {
  await migrate(database);
  const { sandbox } = await createOrganization(app, { name: 'Lists' });
  console.error(`creating ${rows} rows of each list …`);
  await makeListRows(database.query, sandbox.id, rows);
  await database.script('VACUUM (ANALYZE)');
  for (const { field, table, members, search } of listCases) {
    const declared = declaredLists().find(({ model }) => model === table);
    if (declared === undefined) throw new Error(`${field} isn't declared.`);
    const asked: [string, Record<string, unknown>][] = [
      ...Object.keys(declared.sort).map((by): [string, Record<string, unknown>] => [
        `by ${by}`,
        { sort: { by } },
      ]),
      ...Object.entries(members).map(([name, { values }]): [string, Record<string, unknown>] => [
        `${name} ${JSON.stringify(values[0])}`,
        { filter: { [name]: values[0] } },
      ]),
      ...(search === undefined
        ? []
        : ['meyer', 'ext_4321'].map((text): [string, Record<string, unknown>] => [
            `search ${text}`,
            { search: text },
          ])),
    ];
    const { name } = declared;
    const searched = search === undefined ? ['', ''] : [', $search: String', ', search: $search'];
    const ask = (shown: string) =>
      `query($filter: ${name}Filter, $sort: ${name}Sort, $after: String${searched[0]}) {
         ${field}(filter: $filter, sort: $sort, after: $after, first: ${pageSize}${searched[1]}) { ${shown} } }`;
    for (const [what, variables] of asked) {
      const first = await run(sandbox.id, ask('nodes { id }'), variables);
      const marks = `marks(every: ${99 * pageSize}, upTo: ${99 * pageSize + 1}) { cursors }`;
      const { data } = await run(sandbox.id, ask(marks), variables);
      const [after] = data[field]?.marks.cursors ?? [];
      const [firstPage] = first.statements;
      if (firstPage === undefined) throw new Error(`${field} was read without a statement.`);
      const times = [await timeOf(firstPage)];
      if (after !== undefined) {
        const [later] = (await run(sandbox.id, ask('nodes { id }'), { ...variables, after })).statements;
        if (later !== undefined) times.push(await timeOf(later));
      }
      const note = times.some((time) => time > goalMs) ? `  above ${goalMs} ms` : '';
      const shown = times.map((time) => time.toFixed(1).padStart(8)).join('');
      console.log(`${field.padEnd(18)}${what.padEnd(64)}${shown}${note}`);
    }
  }
}

try {
  await measure();
} finally {
  await app.pubsub.close();
  await database.close();
  await dropAll();
}
