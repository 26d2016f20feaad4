import { expect, test } from 'vitest';
import { ConfigurationError, parseConfig } from '../../src/platform/config.ts';

test.each([
  [{ PORT: 'many' }, /^PORT: /],
  [{ ROLE: 'worker' }, /^ROLE=worker needs DATABASE_URL: /],
  [{ BOOTSTRAP_API_KEY: 'ck_live_0123456789abcdef' }, /^BOOTSTRAP_API_KEY: must begin ck_sandbox_ /],
  [{ DATABASE_URL: 'mysql://localhost' }, /^DATABASE_URL: must be a postgres:\/\/ address\.$/],
  [{ APP_SECRET: 'short' }, /^APP_SECRET: must have at least 32 characters\.$/],
])('what is wrong with %o is said in a sentence', (settings, sentence) => {
  expect(() => parseConfig(settings)).toThrow(ConfigurationError);
  expect(() => parseConfig(settings)).toThrow(sentence);
});

test('everything that is wrong is told immediately, and what is empty counts as left out', () => {
  expect(() => parseConfig({ PORT: '70000', APP_SECRET: 'short' })).toThrow(/^PORT: .+ APP_SECRET: /);
  expect(parseConfig({ PORT: '', ROLE: '' })).toMatchObject({ port: 4000, role: 'all' });
});
