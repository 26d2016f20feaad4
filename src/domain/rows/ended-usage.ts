import type { MeterDocument } from '../meters/meter.ts';
import type { DimensionValues, PriceListDocument } from '../rates/card.ts';
import type { CostDocument } from '../rates/derived.ts';
import type { ConsumptionModel } from './enums.ts';

/** Total of a part of an ended usage window in counted units, as a decimal text. */
export type StoredCell = { readonly values: DimensionValues; readonly total: string };

/**
 * Usage of a feature in an ended usage window, with the terms that priced it (PRM-128). `includedAmount` and `rates` are
 * per unit. `total` and `covered` are in counted units.
 */
export type EndedUsageRow = {
  readonly id: string;
  readonly seq: bigint | null;
  readonly subscriptionId: string;
  readonly featureId: string;
  readonly windowStart: Date;
  readonly windowEnd: Date;
  readonly consumptionModel: ConsumptionModel;
  /**
   * Code of the custom unit from which usage was deducted. `null` if usage was deducted from credits or money, or was
   * invoiced.
   */
  readonly asset: string | null;
  /** Number of decimals of the custom unit. `null` if `asset` is `null`. */
  readonly decimals: number | null;
  /** Total with all corrections so far. */
  readonly total: bigint;
  readonly covered: bigint;
  readonly includedAmount: bigint;
  readonly meter: MeterDocument | null;
  /** `null` if additional units weren't charged, or if the price depends on a cost. */
  readonly rates: readonly PriceListDocument[] | null;
  /** Totals by the dimension values that determine the price. `null` if the meter has no dimensions. */
  readonly cells: readonly StoredCell[] | null;
  readonly cost: CostDocument | null;
  readonly exchangeRateE8: bigint | null;
  /** Overdraft of the pool that was billed for the window and not credited since, as a positive amount in pool units. */
  readonly deficitRate: bigint;
  /**
   * Price of one pool unit of the overdraft, as a decimal in the subscription's currency. `null` if no overdraft of a custom
   * unit was billed.
   */
  readonly deficitPrice: string | null;
  /** Price of carried usage that the pool didn't cover when the plan changed, in pool units (SUB-45). */
  readonly waived: bigint;
};
