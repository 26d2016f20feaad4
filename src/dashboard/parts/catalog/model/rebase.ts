import type { PlanDraft } from './plan-draft.ts';

// What becomes of a draft when somebody else saves the plan meanwhile.

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const partsOf = (draft: PlanDraft): (keyof PlanDraft)[] => Object.keys(draft) as (keyof PlanDraft)[];

/** A draft that began at `base`, on top of what is saved now: parts that were not edited are as they are saved. */
export function rebased(base: PlanDraft, edited: PlanDraft, saved: PlanDraft): PlanDraft {
  const untouched = partsOf(edited).filter((part) => isSame(base[part], edited[part]));
  const taken = Object.fromEntries(untouched.map((part) => [part, saved[part]]));
  return { ...edited, ...taken };
}

/** Whether both changed the same part, so that the draft would undo what was saved. */
export const overlaps = (base: PlanDraft, edited: PlanDraft, saved: PlanDraft): boolean =>
  partsOf(edited).some(
    (part) =>
      !isSame(base[part], edited[part]) &&
      !isSame(base[part], saved[part]) &&
      !isSame(edited[part], saved[part]),
  );
