// Limits in API format. Amounts are decimals: money in major units of the currency, other amounts in the unit of the measure.
import { minorPerUnit } from '../money/money.ts';
import { dividedBy, type Exact, exactText, isZero, ratio, whole, zero } from '../rates/exact.ts';
import { isoText } from '../time/iso-text.ts';
import {
  fitsFrom,
  isAccepting,
  isWithin,
  kindOf,
  mostOf,
  roomOf,
  type Tried,
  valueAfter,
} from './admission.ts';
import { resetsAt } from './gauge.ts';
import type { LimitAction, LimitMeasure, LimitRow, LimitSetter, LimitWindowKind } from './limit.ts';
import { shownStart } from './windows.ts';

/** Node of a limit in API format. `key` is `null` unless the node is a budget, or the ID of an API key or a member. `path` contains the keys from the top. */
export type NodeEntry = {
  readonly kind: string;
  readonly key: string | null;
  readonly path: readonly string[];
};

/** Limit with its current value, in responses about usage. */
export type LimitEntry = {
  readonly limitId: string;
  readonly name: string | null;
  readonly setBy: LimitSetter;
  readonly action: LimitAction;
  readonly node: NodeEntry;
  readonly measure: LimitMeasure;
  readonly window: {
    readonly kind: LimitWindowKind;
    readonly start: string | null;
    readonly end: string | null;
  };
  /** Currency, custom unit, `units`, or `calls`. */
  readonly unit: string;
  readonly amount: string | null;
  readonly raise: string;
  readonly used: string;
  /** Amount that open holds reserve. Absent if nothing is held. */
  readonly held?: string;
  readonly asked: string;
  readonly remaining: string | null;
  readonly resetsAt: string | null;
  readonly fitsAt: string | null;
};

/**
 * Limit with its current value, the ID of its customer or budget, whether it rejects the checked usage, and whether the portal shows its
 * figures.
 */
export type NodeLimit = LimitEntry & {
  readonly nodeId: string;
  readonly rejects: boolean;
  readonly isInPortal: boolean;
};

/** Returns an amount in the unit of a limit as a decimal. */
export const shownAmount = ({ currency }: Pick<LimitRow, 'currency'>, amount: Exact): string =>
  exactText(currency === null ? amount : dividedBy(amount, minorPerUnit(currency)));

export const unitOf = ({
  measure,
  currency,
  asset,
}: Pick<LimitRow, 'measure' | 'currency' | 'asset'>): string =>
  currency ?? asset ?? (measure === 'level' ? 'units' : measure);

const timeText = (at: number | null): string | null => (at === null ? null : isoText(new Date(at)));

export const nodeEntry = ({ node: { key, path, level, caller } }: Pick<Tried, 'node'>): NodeEntry => ({
  kind: caller ?? level ?? kindOf(key),
  key,
  path,
});

/** Returns a limit at a movement in API format. */
export function limitEntry(tried: Tried): LimitEntry {
  const { limit, gauge, raise, delta } = tried;
  const { window, amount } = limit;
  const shown = (value: Exact): string => shownAmount(limit, value);
  const room = roomOf(tried);
  return {
    limitId: limit.id,
    name: limit.name,
    setBy: limit.setBy,
    action: limit.action,
    node: nodeEntry(tried),
    measure: limit.measure,
    window: {
      kind: window.kind,
      start: timeText(shownStart(gauge.span)),
      end: timeText(gauge.span?.end ?? null),
    },
    unit: unitOf(limit),
    amount: amount === null ? null : shown(whole(amount)),
    raise: shown(whole(raise)),
    used: shown(gauge.used),
    ...(isZero(gauge.held) ? {} : { held: shown(gauge.held) }),
    asked: shown(delta),
    remaining: room === null ? null : shown(room),
    resetsAt: timeText(resetsAt(window, gauge)),
    fitsAt: timeText(isWithin(tried) ? tried.at : fitsFrom(tried)),
  };
}

/** Returns a limit at a movement with the facts about its node. */
export const nodeLimit = (tried: Tried): NodeLimit => ({
  ...limitEntry(tried),
  nodeId: tried.node.id,
  rejects: !isAccepting(tried),
  isInPortal: tried.limit.setBy === 'customer' || tried.limit.channels.includes('portal'),
});

/** Share of a limit's amount that is used after a movement, from 0. `null` if the limit has no amount. */
export function shareUsed(tried: Tried): Exact | null {
  const most = mostOf(tried);
  if (most === null) return null;
  if (tried.fall !== null) {
    const { after } = tried.fall;
    return after <= most ? whole(1n) : ratio(most, after);
  }
  const used = valueAfter(tried);
  return most === 0n ? whole(1n) : used.numerator < 0n ? zero : dividedBy(used, most);
}
