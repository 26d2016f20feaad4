// Compares the features of two plans.

export type PlanFeature = {
  readonly code: string;
  readonly name: string;
  readonly type: string;
  readonly enabled: boolean;
  readonly unlimited: boolean;
  readonly includedAmount?: number | null;
};

/**
 * Feature whose terms differ between two plans. `before` or `after` is `null` if that plan doesn't contain
 * the feature.
 */
export type FeatureDifference = {
  readonly code: string;
  readonly name: string;
  readonly kind: 'gained' | 'lost' | 'changed';
  readonly before: PlanFeature | null;
  readonly after: PlanFeature | null;
};

const find = (features: readonly PlanFeature[], code: string): PlanFeature | null =>
  features.find((feature) => feature.code === code && feature.enabled) ?? null;

/** Returns the features that differ between two plans, lost features first. */
export function planDifference(
  before: readonly PlanFeature[],
  after: readonly PlanFeature[],
): FeatureDifference[] {
  const codes = [...new Set([...before, ...after].map(({ code }) => code))];
  const differences = codes.flatMap((code): FeatureDifference[] => {
    const [old, next] = [find(before, code), find(after, code)];
    const name = next?.name ?? old?.name ?? code;
    if (old === null && next === null) return [];
    if (old === null) return [{ code, name, kind: 'gained', before: null, after: next }];
    if (next === null) return [{ code, name, kind: 'lost', before: old, after: null }];
    const isSame =
      old.unlimited === next.unlimited && (old.includedAmount ?? 0) === (next.includedAmount ?? 0);
    return isSame ? [] : [{ code, name, kind: 'changed', before: old, after: next }];
  });
  const order = { lost: 0, changed: 1, gained: 2 };
  return differences.sort((a, b) => order[a.kind] - order[b.kind]);
}
