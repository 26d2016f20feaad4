import { describe, expect, it } from 'vitest';
import { preferencesFrom } from '../../src/dashboard/shell/preferences.ts';

describe('the preferences parser', () => {
  it("reads a member's preferences as stored", () => {
    const kept = {
      theme: 'dark',
      density: 'cosy',
      language: 'es',
      hasShortcuts: false,
      isFolded: true,
      hiddenColumns: { customers: ['email', 'country'], invoices: [] },
    };
    expect(preferencesFrom(JSON.parse(JSON.stringify(kept)))).toEqual(kept);
  });

  it.each([
    [{ theme: 'pink', density: 3, language: 'xx', hasShortcuts: 'yes', other: 1 }, { hiddenColumns: {} }],
    [
      { theme: 'light', hiddenColumns: { customers: 'email' } },
      { theme: 'light', hiddenColumns: {} },
    ],
    [{ hiddenColumns: { customers: ['email', 3], plans: ['name'] } }, { hiddenColumns: { plans: ['name'] } }],
    [{ hiddenColumns: [] }, { hiddenColumns: {} }],
    [[], {}],
    [null, {}],
    ['dark', {}],
  ])('ignores unknown and invalid values: %j', (kept, read) => {
    expect(preferencesFrom(kept)).toEqual(read);
  });
});
