import { execute, parse } from 'graphql';
import { expect } from 'vitest';
import { type Caller, RequestContext, systemContext } from '../../src/context.ts';
import type { Query } from '../../src/platform/db/pool.ts';
import { schema } from '../../src/schema.ts';
import type { TestApp } from './harness.ts';

type Variables = Readonly<Record<string, unknown>>;

/** Runs an operation in the sandbox, as the process or a caller, and answers its data with the texts of the statements it took. */
export async function statementsOf(
  t: TestApp,
  operation: string,
  variables: Variables,
  caller: Caller | null = null,
): Promise<{ data: unknown; statements: string[] }> {
  const statements: string[] = [];
  const query: Query = (text, params, rowOf) => {
    statements.push(text);
    return t.app.database.query(text, params, rowOf);
  };
  const app = { ...t.app, database: { ...t.app.database, query } };
  const ctx = caller === null ? await systemContext(app, t.sandboxId) : new RequestContext(app, 'statements');
  if (caller !== null && ctx instanceof RequestContext)
    ctx.become(caller, (await systemContext(app, t.sandboxId)).environment);
  // What finding the environment took is not the operation's.
  statements.length = 0;
  const { data, errors } = await execute({
    schema,
    document: parse(operation),
    variableValues: variables,
    contextValue: ctx,
  });
  expect(errors).toBeUndefined();
  return { data, statements };
}

/** Runs an operation in the sandbox and answers its data with the tables it read, one entry per statement; a statement of another kind is told by its text. */
export async function tablesRead(
  t: TestApp,
  operation: string,
): Promise<{ data: unknown; tables: string[] }> {
  const { data, statements } = await statementsOf(t, operation, {});
  return { data, tables: statements.map((text) => /FROM "(\w+)" t\b/.exec(text)?.[1] ?? text) };
}

/** Runs an operation in the sandbox and answers its data with what it read: the table and its columns, sorted by name, one entry per statement. */
export async function columnsRead(
  t: TestApp,
  operation: string,
  variables: Variables = {},
): Promise<{ data: unknown; read: string[] }> {
  const { data, statements } = await statementsOf(t, operation, variables);
  const read = statements.map((text) => {
    const [, list = '', table = text] =
      /SELECT (?:DISTINCT ON \(.*?\) )?((?:t\."\w+",? )+)FROM "(\w+)" t\b/.exec(text) ?? [];
    return `${table}: ${[...list.matchAll(/"(\w+)"/g)]
      .map(([, name]) => name)
      .sort()
      .join(' ')}`;
  });
  return { data, read };
}
