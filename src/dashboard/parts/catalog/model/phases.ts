import { divideRounded } from '../../../../domain/money.ts';
import type { Interval } from './plan-draft.ts';

// What an offer comes to, cycle by cycle.

/** An interval that recurs. */
export type Recurring = Exclude<Interval, 'one_time'>;

/** A phase of an offer while it is edited. Amounts are minor units by currency, the share basis points. */
export type PhaseDraft = {
  /** Of the page alone: names the phase while others move around it. */
  readonly key: string;
  readonly type: 'free_trial' | 'percentage' | 'amount_off' | 'fixed_price';
  readonly days: number;
  /** Null for an open end. */
  readonly cycles: number | null;
  readonly interval: Recurring | null;
  readonly share: number;
  readonly amounts: readonly { readonly currency: string; readonly amount: number }[];
};

/** A problem with the phases, by the index of the phase. */
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

/** Phases an offer can have. */
export const mostPhases = 10;

/** What is wrong with the phases; empty where the service would take them. */
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
  return phases.length > mostPhases ? [...problems, { index: mostPhases, kind: 'too_many' }] : problems;
}

/** What a plan base costs during a phase; null where the phase has no amount in the currency. A free trial costs nothing. */
export function priceInPhase(phase: PhaseDraft, base: number, currency: string): number | null {
  if (phase.type === 'free_trial') return 0;
  if (phase.type === 'percentage')
    return base - Number(divideRounded(BigInt(base) * BigInt(phase.share), 10_000n));
  const amount = phase.amounts.find((one) => one.currency === currency)?.amount;
  if (amount === undefined) return null;
  return phase.type === 'fixed_price' ? amount : base - Math.min(amount, base);
}

/** A row of the time line: so many cycles at one amount. */
export type PhaseRow = {
  /** Index of the phase; null for the regular price afterwards. */
  readonly index: number | null;
  /** First and last cycle, counted from 1; null for a trial, which has none, and for an open end. */
  readonly from: number | null;
  readonly to: number | null;
  readonly days: number | null;
  readonly amount: number | null;
  readonly saved: number | null;
};

/** The amounts a customer pays by an offer on a price, phase by phase, and the regular price after it. */
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

/** How long a row is on a line of time, in cycles: a trial as half a cycle, an open end as two, and never more than twelve. */
export const lengthOf = ({ from, to, days }: PhaseRow): number => {
  if (days !== null) return 0.5;
  return to === null || from === null ? 2 : Math.min(12, to - from + 1);
};

/** Whether an offer can be placed on a price for new subscribers: a trial, a discount of fixed length, or both in this order. */
export function isIntroductory(phases: readonly PhaseDraft[]): boolean {
  const discounts = phases.filter(({ type }) => type !== 'free_trial');
  return (
    phases.length > 0 &&
    discounts.length <= 1 &&
    phases.length - discounts.length <= 1 &&
    discounts.every(({ type, cycles }) => type !== 'fixed_price' && cycles !== null)
  );
}

/** Whether a promo code can give an offer: exactly one phase, a share or an amount off. */
export const isForPromoCode = (phases: readonly PhaseDraft[]): boolean =>
  phases.length === 1 && (phases[0]?.type === 'percentage' || phases[0]?.type === 'amount_off');

/** Whether a card promotion can give an offer: its first phase is a discount. */
export const isForCards = (phases: readonly PhaseDraft[]): boolean =>
  phases[0] !== undefined && phases[0].type !== 'free_trial';

type Amounts = readonly { readonly currency: string; readonly amount: number }[];

/** A phase as the offer's query answers it; what does not belong to its type is absent. */
export type PhaseAnswer = {
  readonly type: PhaseDraft['type'];
  readonly durationDays?: number;
  readonly durationCycles?: number | null;
  readonly durationInterval?: Recurring | null;
  readonly percentage?: number;
  readonly amounts?: Amounts;
  readonly prices?: Amounts;
};

/** The phases of a stored offer, to edit. */
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

/** The phases as the service takes them. */
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
