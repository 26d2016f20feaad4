import { featureSteps } from './feature-changes.ts';
import type { PlanDraft } from './plan-draft.ts';
import { priceSteps } from './price-changes.ts';
import { currencySteps } from './region-changes.ts';
import { type Step, sameJson } from './step.ts';

// Converts a plan's changes to commands, in the order that the service requires. Each command lists the affected subscribers.

function groupSteps(saved: PlanDraft, draft: PlanDraft): Step[] {
  if (saved.groupId === draft.groupId) return [];
  const line = { what: 'group', from: saved.groupId, to: draft.groupId, reaches: 'changes' } as const;
  const remove: Step[] =
    saved.groupId === null
      ? []
      : [
          {
            command: 'groupRemove',
            about: null,
            lines: draft.groupId === null ? [line] : [],
            input: () => ({ planId: saved.id, planGroupId: saved.groupId }),
          },
        ];
  const add: Step[] =
    draft.groupId === null
      ? []
      : [
          {
            command: 'groupAdd',
            about: null,
            lines: [line],
            input: () => ({ planId: saved.id, planGroupId: draft.groupId }),
          },
        ];
  return [...remove, ...add];
}

function termSteps(saved: PlanDraft, draft: PlanDraft): Step[] {
  const lines: Step['lines'] = [
    ...(saved.name === draft.name
      ? []
      : [{ what: 'name', from: saved.name, to: draft.name, reaches: 'text' } as const]),
    ...(saved.description === draft.description
      ? []
      : [{ what: 'description', from: saved.description, to: draft.description, reaches: 'text' } as const]),
    ...(saved.isPublic === draft.isPublic
      ? []
      : [{ what: 'visibility', from: saved.isPublic, to: draft.isPublic, reaches: 'visibility' } as const]),
  ];
  if (lines.length === 0) return [];
  const { name, description, isPublic } = draft;
  return [
    {
      command: 'planUpdate',
      about: null,
      lines,
      input: () => ({
        id: saved.id,
        ...(name !== saved.name && { name }),
        ...(description !== saved.description && { description: description === '' ? null : description }),
        ...(isPublic !== saved.isPublic && { isPublic }),
      }),
    },
  ];
}

/** Returns the commands that change a saved plan to a draft. Empty if nothing changed. */
export function planSteps(saved: PlanDraft, draft: PlanDraft): Step[] {
  if (sameJson(saved, draft)) return [];
  return [
    ...groupSteps(saved, draft),
    ...termSteps(saved, draft),
    ...featureSteps(saved, draft),
    ...priceSteps(saved, draft),
    ...currencySteps(saved, draft),
  ];
}
