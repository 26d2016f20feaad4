import { describe, expect, test } from 'vitest';
import { hasRole, hasRoleScope, mayRead } from '../../../src/domain/limits/member-roles.ts';

describe('the rank of a role', () => {
  test.each([
    ['owner', 'admin', true],
    ['admin', 'admin', true],
    ['member', 'admin', false],
    ['member', 'member', true],
    ['finance', 'member', false],
    ['support', 'member', false],
    ['read_only', 'member', false],
    ['read_only', 'unknown', false],
  ] as const)('%s has at least the permissions of %s: %s', (role, least, expected) => {
    expect(hasRole(role, least)).toBe(expected);
  });
});

describe('the permissions of a limited role', () => {
  const rows = [
    ['customers', 'write', 'customerCreate', [false, true, false]],
    ['customers', 'write', 'customerCreditCreate', [false, false, true]],
    ['subscriptions', 'write', 'subscriptionCancel', [false, true, false]],
    ['subscriptions', 'write', 'subscriptionBalanceAdjust', [false, false, true]],
    ['payments', 'finance', 'transactionRefund', [false, false, true]],
    ['payments', 'write', 'payoutCreate', [false, false, true]],
    ['invoices', 'write', 'invoiceCreate', [false, false, true]],
    ['messages', 'write', 'invoiceSend', [false, true, true]],
    ['messages', 'write', 'webhookDeliveryResend', [false, false, false]],
    ['exports', 'read', 'exportCreate', [true, true, true]],
    ['exports', 'write', 'exportCreate', [false, false, true]],
    ['catalog', 'write', 'planUpdate', [false, false, false]],
    ['organization', 'keys', 'apiKeyCreate', [false, false, false]],
    ['sandbox', 'write', 'testClockAdvance', [false, false, false]],
    ['customers', 'read', null, [true, true, true]],
    ['metrics', 'finance', null, [true, true, true]],
    ['payments', 'finance', null, [true, false, true]],
    [null, 'read', null, [true, true, true]],
    [null, 'finance', null, [true, false, true]],
    ['organization', 'keys', null, [false, false, false]],
  ] as const;

  test.each(rows)(
    'allow the area %s and the scope %s as listed for the mutation %s',
    (area, scope, mutation, expected) => {
      expect(
        (['read_only', 'support', 'finance'] as const).map((role) =>
          hasRoleScope(role, scope, { area, mutation }),
        ),
      ).toEqual(expected);
    },
  );

  test('allow a nested selection to read the same data', () => {
    for (const [area, scope, mutation, expected] of rows)
      if (mutation === null)
        expect(
          (['read_only', 'support', 'finance'] as const).map((role) => mayRead(role, scope, area)),
        ).toEqual(expected);
  });
});
