/** Access of a customer to a feature. */
export type FeatureSnapshot = {
  readonly name: string;
  readonly unitName: string | null;
  /** `true` if the customer can use the feature. */
  readonly allowed: boolean;
  /** Number of used units. `null` if the feature has no units. */
  readonly used: number | null;
  /** Number of included units. `null` if the feature has no units, or if usage is unlimited or draws on credits or a balance. */
  readonly included: number | null;
  /** Number of units that can still be used. `null` if the number isn't limited. */
  readonly available: number | null;
};

/** Access of a customer at one time. Contains only JSON values, so that a server can send it to a browser. */
export type CustomerSnapshot = {
  readonly customerId: string;
  readonly features: Readonly<Record<string, FeatureSnapshot>>;
};

/** Access to a feature that the customer doesn't have. */
export const noAccess: FeatureSnapshot = {
  name: '',
  unitName: null,
  allowed: false,
  used: null,
  included: null,
  available: 0,
};
