import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../src/schema.ts';
import { writtenFiles } from '../../src/site/contents.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { root } from '../support/server-source.ts';

// Executes the commands of the written pages against a service, and checks their GraphQL documents.

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

const run = promisify(execFile);

const blocksOf = (file: string, language: string): string[] =>
  [
    ...readFileSync(path.join(root, file), 'utf8').matchAll(
      new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'),
    ),
  ].map(([, text = '']) => text);

/** Pages whose commands call the API. Earlier pages of other folders have their own tests. */
const pages = writtenFiles
  .map(({ file }) => file)
  .filter((file) => /^docs\/(?:start|concepts|guides|testing)\//.test(file));

const commandsOf = (file: string): string[] =>
  blocksOf(file, 'sh').filter((text) => /\bcurl\b/.test(text) && !/^npm /m.test(text));

/** Fails a command if the API rejects its request, and prints the response. */
const strict = 'set -euo pipefail\ncurl() { command curl --fail-with-body "$@"; }\n';

describe('a written page', () => {
  test.each(pages.filter((file) => commandsOf(file).length > 0))(
    'has commands that the API accepts: %s',
    { timeout: 60_000 },
    async (file) => {
      const { sandboxKey } = await t.otherTenant();
      const script = `${strict}${commandsOf(file).join('\n')}`;
      const env = { ...process.env, KEY: sandboxKey, API: `${t.url}/api/v1` };
      const result = await run('bash', ['-c', script], { env }).then(
        () => 'accepted',
        ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout.slice(-600)}\n${stderr}`,
      );
      expect(result).toBe('accepted');
    },
  );
});

describe('a page with GraphQL', () => {
  test.each(pages.filter((file) => blocksOf(file, 'graphql').length > 0))(
    'has documents that match the schema: %s',
    (file) => {
      for (const text of blocksOf(file, 'graphql')) expect(validate(schema, parse(text))).toEqual([]);
    },
  );
});
