import { describe, expect, it } from 'vitest';
import {
  actionsOf,
  canReportUnusual,
  createInput,
  initialValues,
  isComplete,
  measuresOf,
  windowsOf,
} from '../../src/dashboard/parts/limits/limit-draft.ts';

describe('the form for a limit of the organization or a plan', () => {
  const values = { ...initialValues(null, 'usd', 'shared'), amount: 500_000 };

  it('offers only measures, windows, and actions that such limits can have', () => {
    expect(measuresOf('shared')).toEqual(['spend', 'value', 'drawn', 'units', 'calls']);
    expect(windowsOf('shared')).toEqual(['day', 'week', 'month', 'event', 'lifetime']);
    expect(actionsOf('shared', values)).toEqual(['block', 'notify']);
    expect(windowsOf('shared')).toContain(values.window);
  });

  it('creates a limit of the organization, or of the chosen plan', () => {
    expect(isComplete(values)).toBe(true);
    expect(createInput(values, 'shared', null)).toEqual({
      scope: { organization: true },
      measure: 'spend',
      currency: 'usd',
      window: { kind: 'month' },
      amount: 500_000,
      action: 'block',
      thresholds: [{ bps: 8_000 }, { bps: 10_000 }],
    });
    expect(createInput({ ...values, plan: 'pln_1' }, 'shared', null).scope).toEqual({ plan: 'pln_1' });
    expect(createInput({ ...values, plan: 'pln_1' }, 'template', null).scope).toEqual({
      each: 'customer',
      in: { plan: 'pln_1' },
    });
  });
});

describe('the form for a limit on the number of seats', () => {
  const target = { customer: 'cus_1', budget: null };
  const values = { ...initialValues(null, 'usd', target), measure: 'level' as const, amount: 10 };

  it('needs a feature, and has no window and no currency', () => {
    expect(isComplete(values)).toBe(false);
    const complete = { ...values, feature: 'seats' };
    expect(isComplete(complete)).toBe(true);
    expect(actionsOf(target, complete)).toEqual(['block', 'notify']);
    expect(createInput(complete, target, null)).toMatchObject({
      scope: { customer: 'cus_1' },
      measure: 'level',
      filter: { features: ['seats'] },
      window: { kind: 'lifetime' },
      amount: 10,
    });
    expect(createInput(complete, target, null)).not.toHaveProperty('currency');
  });
});

describe('the form for days with unusual usage', () => {
  const target = { customer: 'cus_1', budget: null };
  const values = { ...initialValues(null, 'usd', target), amount: 500, window: 'day' as const, factor: 5 };

  it('needs the highest value that is never unusual', () => {
    expect(isComplete(values)).toBe(false);
    expect(isComplete({ ...values, minimum: 0 })).toBe(true);
    expect(createInput({ ...values, minimum: 200 }, target, null).anomaly).toEqual({
      factor: 5,
      minimum: 200,
    });
    expect(createInput({ ...values, factor: null }, target, null).anomaly).toBeNull();
  });

  it('is offered only for daily limits of customers and budgets', () => {
    expect(canReportUnusual(target, values)).toBe(true);
    expect(canReportUnusual('template', values)).toBe(true);
    expect(canReportUnusual('shared', values)).toBe(false);
    expect(canReportUnusual(target, { ...values, window: 'month' })).toBe(false);
    expect(createInput({ ...values, window: 'month' }, target, null)).not.toHaveProperty('anomaly');
  });
});
