import type { PlanDraft } from './plan-draft.ts';

// Merges a draft with changes that other users saved in the meantime.

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const partsOf = (draft: PlanDraft): (keyof PlanDraft)[] => Object.keys(draft) as (keyof PlanDraft)[];

/** Applies the edits since `base` to the saved plan. Values that weren't edited keep their saved values. */
export function rebased(base: PlanDraft, edited: PlanDraft, saved: PlanDraft): PlanDraft {
  const untouched = partsOf(edited).filter((part) => isSame(base[part], edited[part]));
  const taken = Object.fromEntries(untouched.map((part) => [part, saved[part]]));
  return { ...edited, ...taken };
}

/** True if the draft would overwrite a change that another user saved. */
export const overlaps = (base: PlanDraft, edited: PlanDraft, saved: PlanDraft): boolean =>
  partsOf(edited).some(
    (part) =>
      !isSame(base[part], edited[part]) &&
      !isSame(base[part], saved[part]) &&
      !isSame(edited[part], saved[part]),
  );
