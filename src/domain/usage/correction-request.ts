// Requests to correct usage events, and their rejections (PRM-126).
import {
  type FieldProblem,
  type Rejection,
  specificRejection,
  validationRejection,
} from '../errors/errors.ts';
import type { LevelEvent } from '../meters/level-history.ts';
import type { WindowStep } from '../meters/replay.ts';
import type { EventProperties } from '../rates/derived.ts';
import type { MeasuredEventRow, UsageCorrectionRow } from '../rows/usage-rows.ts';
import type { PricedRequest, UsageEventRow } from './record.ts';

/** Fields of an event that replaces another event. Fields that are `null` have the values of the replaced event. */
export type ReplacementFields = Omit<PricedRequest, 'properties'> & {
  readonly timestamp: Date | null;
  readonly properties: EventProperties | null;
};

/** Correction to make. `replacement` is `null` if the event is voided. */
export type CorrectionRequest = {
  readonly replacement: ReplacementFields | null;
  readonly reason: string | null;
  /** ID of the replacement of the event that the corrected event counts. Absent if the event was recorded for its own feature. */
  readonly sourceEventId?: string;
};

/** Stored event of a level, with the window in which it counts. */
export type LevelEventRow = LevelEvent & MeasuredEventRow;

/** Stored event, and the data about its window that a correction needs. */
export type CorrectedEvent = {
  readonly event: UsageEventRow & { readonly seq: bigint };
  readonly featureCode: string;
  /** True if the event replaces another event. */
  readonly isReplacement: boolean;
  /** Correction of the event. `null` if it wasn't corrected. */
  readonly correction: UsageCorrectionRow | null;
  /** Sum of the amounts that corrections of the feature waived in the window. */
  readonly waived: bigint;
  /** Number of the last adjustment in the window. `null` if there are no adjustments. */
  readonly lastSetSeq: bigint | null;
  /**
   * Events and adjustments of the window in the order in which they were recorded, without corrected events. Empty unless
   * `needsSteps` is true.
   */
  readonly steps: readonly WindowStep[];
  /**
   * Events of the level since the start of the event's window that weren't corrected, in the order in which they take effect. `null` if the
   * event changes no level.
   */
  readonly levels: readonly LevelEventRow[] | null;
};

export type Corrected =
  | { readonly correction: UsageCorrectionRow; readonly isRepetition: boolean }
  | { readonly rejection: Rejection };

const tooOldProblem: FieldProblem = {
  field: 'id',
  message: "can't be corrected because it's too old, or its feature is no longer in the plan",
};

/** Rejection of a correction whose usage window can't be calculated again. */
export const tooOld: Rejection = {
  ...validationRejection([tooOldProblem]),
  details: { reason: 'too_old', problems: [tooOldProblem] },
};

/** Returns the result if the event was already corrected. `null` if it wasn't. */
export function repeatedCorrection(
  { correction: known }: Pick<CorrectedEvent, 'correction'>,
  { replacement }: CorrectionRequest,
): Corrected | null {
  if (known === null) return null;
  return known.kind === 'void' && replacement === null
    ? { correction: known, isRepetition: true }
    : { rejection: specificRejection('duplicate', 'corrected_event', { param: 'id' }) };
}
