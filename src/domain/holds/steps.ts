// Steps of a hold in requests: opening, extending, settling, and releasing it (LIM-55).
import type { HoldExcess } from './hold.ts';

/** Opens a hold. The request of the usage is the estimate. */
export type OpenStep = {
  readonly kind: 'open';
  readonly holdId: string | null;
  /** Lifetime in seconds. Defaults to `defaultLifetime` if `null`. */
  readonly expiresIn: number | null;
  readonly onExcess: HoldExcess;
  /** Smallest quantity to reserve if the estimate doesn't fit, as a decimal: output tokens if the estimate consists of tokens. */
  readonly atLeast: string | null;
};

/** Settles a hold by the usage of the request. `hold` is the ID of the hold, or the identifier that the API client assigned. */
export type SettleStep = {
  readonly kind: 'settle';
  readonly hold: string;
  /** True if the rest of the hold is freed. */
  readonly isFinal: boolean;
  /** True if the request is a usage event that names the hold. */
  readonly isEvent?: boolean;
};

type ReleaseStep = { readonly kind: 'release'; readonly hold: string };

/** Extends a hold. If `adds` is true, the usage of the request is added to the estimate. */
export type ExtendStep = {
  readonly kind: 'extend';
  readonly hold: string;
  readonly expiresIn: number | null;
  readonly adds: boolean;
};

/** Step of a hold. */
export type HoldStep = OpenStep | SettleStep | ReleaseStep | ExtendStep;

/** Returns the existing hold that a step names. `null` if the step opens a hold without an identifier. */
export const namedHold = (step: HoldStep): string | null => (step.kind === 'open' ? step.holdId : step.hold);
