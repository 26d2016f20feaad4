import { describe, expect, test } from 'vitest';
import { nameInEmail, nextWhileUnverified, withheld } from '../../src/domain/messages/mail-permission.ts';

describe('the email recipient check (PLT-114)', () => {
  const [sandbox, unverified] = ['sandbox', 'organization_unverified'];
  test.each([
    // Columns: live environment, verified organization, recipient is a member, sandboxes may email all recipients, and reason why the email
    // is withheld.
    [true, true, false, false, null],
    [true, true, true, false, null],
    [true, false, false, false, unverified],
    [true, false, false, true, unverified],
    [true, false, true, false, null],
    [false, true, false, false, sandbox],
    [false, true, true, false, null],
    [false, true, false, true, null],
    [false, false, false, false, sandbox],
    [false, false, false, true, sandbox],
    [false, false, true, false, null],
  ])(
    "depends on the live environment (%s), organization verification (%s), the recipient's membership (%s), and the sandbox setting (%s): reason for withholding %s",
    (livemode, isOrganizationVerified, isMember, sandboxesWrite, reason) =>
      expect(withheld({ livemode, isOrganizationVerified, isMember, sandboxesWrite })).toBe(reason),
  );

  test("delays an unverified organization's email by an hour at a time, for up to three days", () => {
    const created = new Date('2026-11-26T12:00:00Z');
    const at = (text: string) => nextWhileUnverified(created, new Date(text))?.toISOString() ?? null;
    expect(at('2026-11-26T12:00:00Z')).toBe('2026-11-26T13:00:00.000Z');
    expect(at('2026-11-29T11:59:59Z')).toBe('2026-11-29T12:59:59.000Z');
    expect(at('2026-11-29T12:00:00Z')).toBeNull();
  });
});

test.each([
  ['Acme', 'Acme'],
  ['Booking.com', 'Booking.com'],
  [
    'PayPal Security: confirm your account at https://evil.example/login',
    'PayPal Security: confirm your account at',
  ],
  ['evil.example/login now', 'now'],
  ['see www.evil.example', 'see'],
  ['HTTP://EVIL.EXAMPLE', ''],
  ['a\r\nBcc: b@c.test', 'a Bcc: b@c.test'],
  ['A/S Nordic', 'A/S Nordic'],
])('the organization name %j is shown as %j in emails', (name, shown) =>
  expect(nameInEmail(name)).toBe(shown),
);
