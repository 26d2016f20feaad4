import { expect, test } from 'vitest';
import { ConfigurationError, parseConfig } from '../../src/platform/config.ts';

test.each([
  [{ PORT: 'many' }, /^PORT: /],
  [{ ROLE: 'worker' }, /^ROLE=worker needs DATABASE_URL: /],
  [{ BOOTSTRAP_API_KEY: 'ck_live_0123456789abcdef' }, /^BOOTSTRAP_API_KEY: must be ck_sandbox_ /],
  [{ DATABASE_URL: 'mysql://localhost' }, /^DATABASE_URL: must be a postgres:\/\/ URL\.$/],
  [{ APP_SECRET: 'short' }, /^APP_SECRET: must have at least 32 characters\.$/],
])('parseConfig explains the problem with %o', (settings, sentence) => {
  expect(() => parseConfig(settings)).toThrow(ConfigurationError);
  expect(() => parseConfig(settings)).toThrow(sentence);
});

test('parseConfig reports all problems together, and treats empty values as missing', () => {
  expect(() => parseConfig({ PORT: '70000', APP_SECRET: 'short' })).toThrow(/^PORT: .+ APP_SECRET: /);
  expect(parseConfig({ PORT: '', ROLE: '' })).toMatchObject({ port: 4000, role: 'all' });
});
