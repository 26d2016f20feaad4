import { divideRounded } from '../../../../domain/money/money.ts';
import type { Interval } from './plan-draft.ts';

// Calculates how a price with an offer changes over time.

export type Recurring = Exclude<Interval, 'one_time'>;

/** Phase of an offer that is being edited. Amounts are in minor units by currency; percentages are in basis points. */
export type PhaseDraft = {
  /** Identifies the phase on the page, independent of its position. */
  readonly key: string;
  readonly type: 'free_trial' | 'percentage' | 'amount_off' | 'fixed_price';
  readonly days: number;
  /** Length of the phase. `null` if the phase has no end. */
  readonly cycles: number | null;
  readonly interval: Recurring | null;
  readonly share: number;
  readonly amounts: readonly { readonly currency: string; readonly amount: number }[];
};

/** Validation error of a phase, with the index of the phase. */
export type PhaseProblem = {
  readonly index: number;
  readonly kind:
    | 'trial_not_first'
    | 'open_not_last'
    | 'no_amounts'
    | 'repeated_currency'
    | 'no_share'
    | 'too_many';
};

export const maxPhases = 10;

/** Validates phases with the same rules as the service. Returns the errors. */
export function phaseProblems(phases: readonly PhaseDraft[]): PhaseProblem[] {
  const problems = phases.flatMap((phase, index): PhaseProblem[] => {
    if (phase.type === 'free_trial') return index === 0 ? [] : [{ index, kind: 'trial_not_first' }];
    const found: PhaseProblem[] = [];
    if (phase.cycles === null && index < phases.length - 1) found.push({ index, kind: 'open_not_last' });
    if (phase.type === 'percentage' && phase.share < 1) found.push({ index, kind: 'no_share' });
    if (phase.type === 'percentage') return found;
    const codes = phase.amounts.map(({ currency }) => currency);
    if (codes.length === 0) found.push({ index, kind: 'no_amounts' });
    if (new Set(codes).size < codes.length) found.push({ index, kind: 'repeated_currency' });
    return found;
  });
  return phases.length > maxPhases ? [...problems, { index: maxPhases, kind: 'too_many' }] : problems;
}

/** Returns the price during a phase. `null` if the phase has no amount in the currency. 0 for a free trial. */
export function priceInPhase(phase: PhaseDraft, base: number, currency: string): number | null {
  if (phase.type === 'free_trial') return 0;
  if (phase.type === 'percentage')
    return base - Number(divideRounded(BigInt(base) * BigInt(phase.share), 10_000n));
  const amount = phase.amounts.find((one) => one.currency === currency)?.amount;
  if (amount === undefined) return null;
  return phase.type === 'fixed_price' ? amount : base - Math.min(amount, base);
}

/** Consecutive billing periods with the same amount. */
export type PhaseRow = {
  /** Index of the phase. `null` for the regular price after the last phase. */
  readonly index: number | null;
  /** Numbers of the first and last billing period, starting at 1. `null` for a trial, which has no billing periods, and for an open end. */
  readonly from: number | null;
  readonly to: number | null;
  readonly days: number | null;
  readonly amount: number | null;
  readonly saved: number | null;
};

/** Returns the amounts charged for a price with an offer applied, by phase, and the regular price afterwards. */
export function phaseRows(phases: readonly PhaseDraft[], base: number, currency: string): PhaseRow[] {
  const rows: PhaseRow[] = [];
  let cycle = 1;
  for (const [index, phase] of phases.entries()) {
    const amount = priceInPhase(phase, base, currency);
    if (phase.type === 'free_trial') {
      rows.push({ index, from: null, to: null, days: phase.days, amount, saved: null });
      continue;
    }
    const saved = amount === null ? null : base - amount;
    const to = phase.cycles === null ? null : cycle + phase.cycles - 1;
    rows.push({ index, from: cycle, to, days: null, amount, saved });
    if (to === null) return rows;
    cycle = to + 1;
  }
  return [...rows, { index: null, from: cycle, to: null, days: null, amount: base, saved: 0 }];
}

/** Returns the length of a row on the timeline in billing periods: half a period for a trial, 2 for an open end, and at most 12. */
export const lengthOf = ({ from, to, days }: PhaseRow): number => {
  if (days !== null) return 0.5;
  return to === null || from === null ? 2 : Math.min(12, to - from + 1);
};

/** True if an offer can be an introductory offer of a price: a trial, a discount of fixed length, or a trial followed by a discount. */
export function isIntroductory(phases: readonly PhaseDraft[]): boolean {
  const discounts = phases.filter(({ type }) => type !== 'free_trial');
  return (
    phases.length > 0 &&
    discounts.length <= 1 &&
    phases.length - discounts.length <= 1 &&
    discounts.every(({ type, cycles }) => type !== 'fixed_price' && cycles !== null)
  );
}

/** True if a promo code can apply an offer: exactly one phase with a percentage or amount off. */
export const isForPromoCode = (phases: readonly PhaseDraft[]): boolean =>
  phases.length === 1 && (phases[0]?.type === 'percentage' || phases[0]?.type === 'amount_off');

/** True if a card promotion can apply an offer: its first phase is a discount. */
export const isForCards = (phases: readonly PhaseDraft[]): boolean =>
  phases[0] !== undefined && phases[0].type !== 'free_trial';

type Amounts = readonly { readonly currency: string; readonly amount: number }[];

/** Phase as returned by the offer query. Each phase type has its own fields. */
export type PhaseAnswer = {
  readonly type: PhaseDraft['type'];
  readonly durationDays?: number;
  readonly durationCycles?: number | null;
  readonly durationInterval?: Recurring | null;
  readonly percentage?: number;
  readonly amounts?: Amounts;
  readonly prices?: Amounts;
};

/** Converts the phases of a saved offer for editing. */
export const phaseDrafts = (phases: readonly PhaseAnswer[]): PhaseDraft[] =>
  phases.map((phase, index) => ({
    key: `stored:${index}`,
    type: phase.type,
    days: phase.durationDays ?? 14,
    cycles: phase.durationCycles === undefined ? 1 : phase.durationCycles,
    interval: phase.durationInterval ?? null,
    share: phase.percentage ?? 2_000,
    amounts: phase.amounts ?? phase.prices ?? [],
  }));

/** Converts edited phases to input for the service. */
export const phaseInputs = (phases: readonly PhaseDraft[]) =>
  phases.map((phase) => {
    if (phase.type === 'free_trial') return { type: phase.type, durationDays: phase.days };
    const shared = { type: phase.type, durationCycles: phase.cycles };
    const amounts = phase.amounts.map(({ currency, amount }) => ({ currency, amount }));
    if (phase.type === 'percentage') return { ...shared, percentage: phase.share };
    if (phase.type === 'amount_off') return { ...shared, amounts };
    return {
      ...shared,
      prices: amounts,
      ...(phase.interval !== null && { durationInterval: phase.interval }),
    };
  });
