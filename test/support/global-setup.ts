import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { execPath } from 'node:process';
import { promisify } from 'node:util';
import { cacheFolder } from '../../src/platform/db/prepared.ts';
import { isBuilt } from '../../src/web/build-stamp.ts';
import { collectedStatements, statementsFile, violations } from './distributable.ts';
import { freshDatabase, prepareTemplates, serverUrl } from './template.ts';

/**
 * Environment variable with the address of a PostgreSQL server that also checks the statements of a run on the embedded database. The server
 * then knows every statement of the product, although few test files run on it.
 */
const checkingServer = 'TEST_STATEMENTS_URL';

/** Builds the hosted pages in advance, so no browser test times out while waiting for the build. */
async function buildPages(): Promise<void> {
  const script = path.resolve(import.meta.dirname, '../../src/web/build.ts');
  if (!(await isBuilt('pages'))) await promisify(execFile)(execPath, [script, 'pages']);
}

/**
 * Fails the run if the database rejects a statement, or if a distributed database couldn't run it on a single node. See
 * `test/support/distributable.ts`.
 */
async function checkStatements(statements: readonly string[]): Promise<void> {
  const { database, drop } = await freshDatabase();
  try {
    const found = await violations(database, statements);
    if (found.length === 0) return;
    const lines = found.map(({ text, reasons }) => `${reasons.join(', ')}: ${text}`);
    throw new Error(`Statements that would not run on one node of several:\n${lines.join('\n')}`);
  } finally {
    await database.close();
    await drop();
  }
}

/** Checks a run's statements on the database of the run, and on the server that checks the statements of an embedded run. */
async function checkRun(file: string): Promise<void> {
  const statements = collectedStatements(file);
  await rm(file);
  // Skips the check if the database is distributed, because it doesn't return the query plans of its nodes.
  if (process.env['TEST_DATABASE_NODES'] !== undefined) return;
  await checkStatements(statements);
  const url = process.env[checkingServer];
  if (url === undefined || serverUrl() !== undefined) return;
  process.env['TEST_DATABASE_URL'] = url;
  const dropDatabases = await prepareTemplates();
  try {
    await checkStatements(statements);
  } finally {
    await dropDatabases();
  }
}

/** Runs once before all test files. The returned function runs once after all of them. */
export default async function prepare(): Promise<() => Promise<void>> {
  await buildPages();
  const dropDatabases = await prepareTemplates();
  const file = path.join(cacheFolder, `statements-${process.pid}.jsonl`);
  await writeFile(file, '');
  process.env[statementsFile] = file;
  return async () => {
    try {
      await checkRun(file);
    } finally {
      await dropDatabases();
    }
  };
}
