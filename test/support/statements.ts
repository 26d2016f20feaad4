import { execute, parse } from 'graphql';
import { expect } from 'vitest';
import type { Query } from '../../src/platform/db/pool.ts';
import { type Caller, RequestContext, systemContext } from '../../src/request/context.ts';
import { schema } from '../../src/schema.ts';
import type { TestApp } from './harness.ts';

type Variables = Readonly<Record<string, unknown>>;

/** Executes an operation in the sandbox, as the system or as a caller. Returns its data and its SQL statements. */
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
  // Discards the recorded statements that looked up the environment.
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

/**
 * Executes an operation in the sandbox. Returns its data and the tables that each statement read. Other statements are represented by their
 * text.
 */
export async function tablesRead(
  t: TestApp,
  operation: string,
): Promise<{ data: unknown; tables: string[] }> {
  const { data, statements } = await statementsOf(t, operation, {});
  return { data, tables: statements.map((text) => /FROM "(\w+)" t\b/.exec(text)?.[1] ?? text) };
}

/**
 * Executes an operation in the sandbox. Returns its data and the sorted tables and columns that each
 * statement read.
 */
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
