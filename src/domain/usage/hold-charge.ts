// Determines the part of a settlement that is charged (LIM-63, LIM-64, LIM-66).
import type { Rejection } from '../errors/errors.ts';
import type { HoldRow, Uncounted } from '../holds/hold.ts';
import { peaksOf } from '../holds/reserve.ts';
import { rejecting } from '../limits/admission.ts';
import { minOf } from '../money/money.ts';
import { exactDecimal } from '../rates/decimal.ts';
import {
  compare,
  type Exact,
  exactText,
  minus,
  plus,
  ratio,
  smaller,
  times,
  whole,
  wholePart,
  zero,
} from '../rates/exact.ts';
import type { HeldUsage } from '../rows/held-usage.ts';
import type { Meter } from './admission.ts';
import { type Attempt, attempt, type Fitting, type Usage } from './attempt.ts';
import type { UsageBook } from './book.ts';
import { heldAfter } from './held-usage.ts';
import { largestBetween } from './hold-reserve.ts';
import { unitScale } from './metered-terms.ts';
import { priceSoFar } from './price-and-cost.ts';
import { priceCounted, pricedExactly, type Quantity } from './record.ts';
import { freeUnits } from './window.ts';

/** Charged part of a settlement. */
type Charged = {
  readonly rejection: null;
  readonly fitting: Fitting;
  readonly uncounted: Uncounted | null;
};

/** Decimals of the smallest amount by which the price of tokens is reduced. */
const priceScale = 10n ** 12n;

/** Settlement of a hold with its usage. `full` is the quantity that was used. */
class Settling {
  readonly #book: UsageBook;
  readonly #usage: Usage;
  readonly #hold: HoldRow;
  readonly #full: Quantity;
  readonly #isFinal: boolean;
  readonly before: Meter;

  constructor(book: UsageBook, usage: Usage, hold: HoldRow, full: Quantity, isFinal: boolean) {
    this.#book = book;
    this.#usage = usage;
    this.#hold = hold;
    this.#full = full;
    this.#isFinal = isFinal;
    this.before = book.meterOf(usage.subject);
  }

  get isOfTokens(): boolean {
    return this.#full.ai !== null;
  }

  /** Returns the largest count that can be charged: units, or the smallest amounts of the price of tokens. */
  get most(): bigint {
    return this.isOfTokens ? wholePart(times(this.#full.price ?? zero, whole(priceScale))) : this.#full.units;
  }

  /** Returns the count that the hold still reserves. */
  get reserved(): bigint {
    const { units, price, status } = this.#hold;
    if (status !== 'open') return 0n;
    return this.isOfTokens ? wholePart(times(exactDecimal(price ?? '0'), whole(priceScale))) : units;
  }

  /** Returns the sum of holds after the settlement. */
  #heldAfter(): HeldUsage | null {
    const { units, price, status } = this.#hold;
    const { counter } = this.before;
    if (status !== 'open') return counter.held;
    const freedUnits = this.#isFinal ? units : minOf(units, this.#full.units);
    const reserved = exactDecimal(price ?? '0');
    const freed = this.#isFinal ? reserved : smaller(reserved, this.#full.price ?? zero);
    return heldAfter(counter, -freedUnits, minus(zero, freed));
  }

  /** Returns the quantity of a charged count. */
  quantityOf(count: bigint): Quantity | Rejection {
    const full = this.#full;
    if (count === this.most) return full;
    const { subject, request } = this.#usage;
    const { counter } = this.before;
    if (this.isOfTokens)
      return { ...full, ...pricedExactly(full.units, ratio(count, priceScale), counter, full.ai) };
    const cells = this.#book.cells.of(subject);
    const { cells: totals } = this.before;
    const window = totals === undefined ? counter : { ...counter, cells: totals };
    return priceCounted(request, subject.terms, window, cells, { measured: full.measured, units: count });
  }

  /** Decides the settlement if a count is charged. */
  attempt(count: bigint, isForced = false): Attempt | Rejection {
    const quantity = this.quantityOf(count);
    if ('code' in quantity) return quantity;
    const { gauges, lastEventId, status } = this.#hold;
    const settles = {
      gauges: status === 'open' ? gauges : {},
      isFinal: this.#isFinal,
      isCounted: lastEventId !== null || (count === 0n && this.most > 0n),
    };
    const held = this.#heldAfter();
    const isKept = status !== 'open';
    const changed = { ...quantity, isForced, ...(isKept ? {} : { held }) };
    return attempt(this.#book, this.#usage, changed, settles);
  }

  /** Returns true if all limits and the pool accept a count. Totals contain all tokens, so that limits on tokens don't count. */
  fits(count: bigint): boolean {
    const tried = this.attempt(count);
    if ('code' in tried) return false;
    if (tried.rejection === null) return true;
    const rejected = rejecting(tried.tried);
    return (
      this.isOfTokens &&
      rejected.length > 0 &&
      rejected.every(({ limit: { measure } }) => measure === 'units')
    );
  }

  /** Returns the largest count up to `most` that all limits and the pool accept. */
  largest(most: bigint): bigint {
    if (this.fits(most)) return most;
    const { rates } = this.#usage.subject.terms;
    const { counter } = this.before;
    const range = { from: counter.total, to: counter.total + most };
    const peaks = this.isOfTokens
      ? []
      : peaksOf(rates, freeUnits(this.#usage.subject.terms, counter), range).map(
          (total) => total - counter.total,
        );
    const known = peaks.filter((count) => count < most && this.fits(count));
    const least = known.reduce((a, b) => (a > b ? a : b), 0n);
    return largestBetween(least, most - 1n, (count) => this.fits(count)) ?? 0n;
  }

  /** Returns the price of the window after a quantity. */
  #priceAfter({ price, units, cells }: Quantity): Exact {
    const { terms } = this.#usage.subject;
    const { counter } = this.before;
    if (price !== null) return plus(exactDecimal(counter.price), price);
    return priceSoFar(terms, { ...counter, total: counter.total + units, cells }) ?? zero;
  }

  /** Returns the part of the usage that a charged count leaves. `null` if everything is charged. */
  uncounted(count: bigint): Uncounted | null {
    const quantity = this.quantityOf(count);
    if (count === this.most || 'code' in quantity) return null;
    const full = this.#full;
    const amount = minus(this.#priceAfter(full), this.#priceAfter(quantity));
    const units = ratio(full.units - quantity.units, unitScale(this.#usage.subject.terms));
    return { quantity: exactText(units), amount: compare(amount, zero) < 0 ? '0' : exactText(amount) };
  }
}

/** Returns the count to charge if a limit or the pool doesn't accept all usage, or if the usage exceeds the hold. */
function countOf(settling: Settling, { onExcess }: HoldRow): bigint {
  const { most, reserved } = settling;
  if (onExcess === 'accept') return most;
  return settling.largest(onExcess === 'drop' ? minOf(most, reserved) : most);
}

/**
 * Decides which part of a settlement is charged, without storing anything. Returns a rejection only if the usage can't be priced or billed
 * at all.
 */
export function chargeSettlement(
  book: UsageBook,
  usage: Usage,
  hold: HoldRow,
  full: Quantity,
  isFinal: boolean,
): Charged | { readonly rejection: Rejection } {
  const settling = new Settling(book, usage, hold, full, isFinal);
  const tried = settling.attempt(settling.most);
  if ('code' in tried) return { rejection: tried };
  const isDropped = hold.onExcess === 'drop' && settling.most > settling.reserved;
  if (tried.rejection === null && !isDropped) return { rejection: null, fitting: tried, uncounted: null };
  const whole = settling.attempt(settling.most, true);
  if ('code' in whole) return { rejection: whole };
  if (whole.rejection !== null) return { rejection: whole.rejection };
  const count = countOf(settling, hold);
  const forced = settling.attempt(count, true);
  if ('code' in forced || forced.rejection !== null) throw new Error('A part of billable usage is billable.');
  return { rejection: null, fitting: forced, uncounted: settling.uncounted(count) };
}
