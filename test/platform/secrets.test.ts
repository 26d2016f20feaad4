import { expect, test } from 'vitest';
import { parseConfig } from '../../src/platform/config.ts';
import { deriveSecrets } from '../../src/platform/secrets.ts';

const [old, current] = ['the old secret of thirty-two characters', 'the new secret of thirty-two characters'];
const before = deriveSecrets(old);
const rotated = deriveSecrets(current, [old]);
const after = deriveSecrets(current);

const details = { page: 'checkout', environmentId: 'env_1', subjectId: 'sub_1' };
const now = new Date('2027-03-01T10:00:00.000Z');
const soon = new Date('2027-03-01T11:00:00.000Z');

test('an encrypted value names its key, and encrypting a value again produces a different value (D6)', () => {
  const [one, two] = [before.encrypt('whsec_1'), before.encrypt('whsec_1')];
  expect(one).not.toBe(two);
  expect([one.startsWith(before.currentMark), before.currentMark.length]).toEqual([true, 9]);
  expect(before.currentMark).not.toBe(after.currentMark);
  expect([before.decrypt(one), before.decrypt(two)]).toEqual(['whsec_1', 'whsec_1']);
});

test('a previous secret decrypts existing values but encrypts no new values', () => {
  const sealed = before.encrypt('sk_live_1');
  expect(rotated.decrypt(sealed)).toBe('sk_live_1');
  expect(() => after.decrypt(sealed)).toThrow(before.currentMark.slice(0, -1));
  expect(after.decrypt(rotated.encrypt('sk_live_2'))).toBe('sk_live_2');
  expect(() => before.decrypt(rotated.encrypt('sk_live_2'))).toThrow('does not have');
});

test("values from the first releases, which don't name a key, can be decrypted with any key", () => {
  const nameless = before.encrypt('sk_live_1').slice(before.currentMark.length);
  expect([before.decrypt(nameless), rotated.decrypt(nameless)]).toEqual(['sk_live_1', 'sk_live_1']);
  expect(() => after.decrypt(nameless)).toThrow('none of the secrets');
});

test('a modified encrypted value is rejected', () => {
  const sealed = before.encrypt('a value of some length');
  const last = sealed.at(-2) === 'A' ? 'B' : 'A';
  expect(() => before.decrypt(`${sealed.slice(0, -2)}${last}${sealed.slice(-1)}`)).toThrow();
});

test('links signed with a previous secret remain valid, and new links use the current secret', async () => {
  const [page, link] = [await before.signPage(details), await before.signLink(details, soon)];
  expect([await rotated.readPage(page), await rotated.readLink(link, 'checkout', now)]).toEqual([
    details,
    details,
  ]);
  expect([await after.readPage(page), await after.readLink(link, 'checkout', now)]).toEqual([null, null]);
  expect(await rotated.signPage(details)).toBe(await after.signPage(details));
  expect(await before.readPage(await rotated.signPage(details))).toBeNull();
  // Expired links and links for another page are rejected regardless of the secret.
  expect(await rotated.readLink(link, 'checkout', soon)).toBe('expired');
  expect(await rotated.readLink(link, 'portal', now)).toBeNull();
  expect(await rotated.readPage(link)).toBeNull();
});

test('the APP_SECRET_PREVIOUS setting lists previous secrets with the same minimum length as the current secret', () => {
  expect(parseConfig({ APP_SECRET_PREVIOUS: ` ${old} ,${current}` }).appSecretPrevious).toEqual([
    old,
    current,
  ]);
  expect(parseConfig({}).appSecretPrevious).toEqual([]);
  expect(() => parseConfig({ APP_SECRET_PREVIOUS: `${old},short` })).toThrow('APP_SECRET_PREVIOUS');
});
