import { execute, parse } from 'graphql';
import { expect } from 'vitest';
import { systemContext } from '../../src/context.ts';
import type { Query } from '../../src/infra/db.ts';
import { schema } from '../../src/schema.ts';
import type { TestApp } from './harness.ts';

/** Runs an operation in the sandbox and answers its data with the tables it read, one entry per statement; a statement of another kind is told by its text. */
export async function tablesRead(t: TestApp, operation: string): Promise<{ data: unknown; tables: string[] }> {
  const tables: string[] = [];
  const query: Query = (text, params) => {
    tables.push(/FROM "(\w+)" t\b/.exec(text)?.[1] ?? text);
    return t.app.database.query(text, params);
  };
  const context = await systemContext({ ...t.app, database: { ...t.app.database, query } }, t.sandboxId);
  // What finding the environment took is not the operation's.
  tables.length = 0;
  const { data, errors } = await execute({ schema, document: parse(operation), contextValue: context });
  expect(errors).toBeUndefined();
  return { data, tables };
}
