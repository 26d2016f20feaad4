import { describe, expect, test } from 'vitest';
import type { PlanDraft } from '../../../src/dashboard/parts/catalog/model/plan-draft.ts';
import { overlaps, rebased } from '../../../src/dashboard/parts/catalog/model/rebase.ts';

const base: PlanDraft = {
  id: 'pln_1',
  name: 'Pro',
  description: 'For teams',
  isPublic: true,
  groupId: null,
  model: 'metered',
  isFree: false,
  features: [],
  prices: [],
  rates: { eur: 9_000 },
};

describe("a draft rebased onto another member's changes", () => {
  test('keeps its own edits and adopts the other saved values', () => {
    const edited = { ...base, name: 'Pro 2' };
    const saved = { ...base, description: 'For companies', rates: { eur: 9_100 } };
    expect(rebased(base, edited, saved)).toEqual({ ...saved, name: 'Pro 2' });
    expect(overlaps(base, edited, saved)).toBe(false);
  });

  test.each([
    ['the same part to another value', { ...base, name: 'Pro Plus' }, true],
    ['the same part to the same value', { ...base, name: 'Pro 2' }, false],
    ['nothing', base, false],
  ])('reports whether the edits overlap if the other member changed %s', (_what, saved, isOverlapping) => {
    const edited = { ...base, name: 'Pro 2' };
    expect(overlaps(base, edited, saved)).toBe(isOverlapping);
    expect(rebased(base, edited, saved).name).toBe('Pro 2');
  });
});
