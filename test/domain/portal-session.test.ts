import { describe, expect, test } from 'vitest';
import { portalSessionEnd } from '../../src/domain/pages/portal-session.ts';

const at = (time: string): Date => new Date(`2026-03-02T${time}:00.000Z`);

describe('a portal session created at 09:00 (PLT-30, PLT-E7)', () => {
  test.each([
    ['09:00', '09:30'],
    ['09:25', '09:55'],
    ['09:50', '10:20'],
    ['10:30', '11:00'],
    ['10:31', '11:00'],
    ['10:59', '11:00'],
  ])(
    'expires 30 minutes after its last use and at most 2 hours after its creation: last use %s, end %s',
    (lastUsed, end) => {
      expect(portalSessionEnd({ createdAt: at('09:00'), lastUsedAt: at(lastUsed) })).toEqual(at(end));
    },
  );
});
